import { NativeSelect } from '@mantine/core'
import { useDidUpdate } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import picture from '../../shared/illustrations/not-found.svg?raw'
import { api, rpc } from '../api.ts'
import { isHomePage, visitorUrl } from '../pages/home-page.ts'
import { useLinkedPages } from '../preview/LinkedPageBar.tsx'
import { Preview } from '../preview/Preview.tsx'
import { usePreview } from '../preview/use-preview.ts'
import { Empty } from '../ui/Empty.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { useSpace } from '../use-space.ts'

interface LookPreviewProps {
  recordKey: string
  /** The value as JSON; while it is not valid, the preview waits. */
  json: string | null
}

/** A page of the site with an unsaved record: at first the home page, or any other that the person chooses. */
export const LookPreview = (props: LookPreviewProps) => {
  const { subdomain } = useSpace()
  const pages = useQuery(api.pages.list.queryOptions({ subdomain }))
  return (
    <Loaded query={pages}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty
            picture={picture}
            title="No pages yet"
            text="Once the site has a page, it is shown here with its look."
          />
        ) : (
          <PagePreview {...props} pages={data} />
        )
      }
    </Loaded>
  )
}

interface PagePreviewProps extends LookPreviewProps {
  pages: { id: string; slug: string; url: string }[]
}

const PagePreview = ({ recordKey, json, pages }: PagePreviewProps) => {
  const { subdomain, url } = useSpace()
  const [editor] = useState(() => Math.random().toString(36).slice(2))
  const [chosen, setChosen] = useState<string | null>(null)
  const page =
    pages.find(({ id }) => id === chosen) ?? pages.find(({ slug }) => isHomePage(slug)) ?? pages[0]!
  const preview = usePreview(signal =>
    rpc.previews.record.mutate(
      { subdomain, editor, page_id: page.id, key: recordKey, value: JSON.parse(json ?? 'null') as unknown },
      { signal },
    ),
  )
  useDidUpdate(() => {
    if (json !== null) preview.refreshSoon()
  }, [json])
  useDidUpdate(preview.refresh, [page.id])
  const linked = useLinkedPages(subdomain, page.id)
  return (
    <Preview
      {...preview}
      site={url}
      title={`Preview of ${page.slug}`}
      savedUrl={visitorUrl(url, page)}
      pages={linked}
    >
      <NativeSelect
        size="xs"
        aria-label="Page to show"
        value={page.id}
        onChange={event => setChosen(event.currentTarget.value)}
        data={pages.map(({ id, slug }) => ({ value: id, label: isHomePage(slug) ? 'Home page' : slug }))}
      />
    </Preview>
  )
}
