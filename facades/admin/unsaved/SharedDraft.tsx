import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs, rpc } from '../api.ts'
import { useLinkedPages } from '../preview/LinkedPageBar.tsx'
import { Preview } from '../preview/Preview.tsx'
import { usePreview } from '../preview/use-preview.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import classes from './SharedDraft.module.css'

/** The preview of a draft that another participant shares. */
export const SharedDraft = () => {
  const { subdomain } = useSpace()
  const { draftId = '' } = useParams({ strict: false })
  const draft = useQuery(api.unsaved.shared.queryOptions({ subdomain, draft_id: draftId }))
  return (
    <Loaded query={draft} level={1}>
      {shared => <DraftPreview key={shared.updated_at} shared={shared} />}
    </Loaded>
  )
}

const DraftPreview = ({ shared }: { shared: Outputs['unsaved']['shared'] }) => {
  const space = useSpace()
  const { subdomain } = space
  const { draft, thing, handle, updated_at, shared_until } = shared
  const [editor] = useState(() => Math.random().toString(36).slice(2))
  const name = draft.kind === 'page' ? draft.fields.slug : draft.fields.name
  const title = name.trim() || `Untitled ${draft.kind}`
  const preview = usePreview(signal =>
    draft.kind === 'page'
      ? rpc.previews.page.mutate({ subdomain, editor, ...draft.fields }, { signal })
      : rpc.previews.part.mutate(
          {
            subdomain,
            editor,
            ...draft.fields,
            ...(thing === null ? {} : { part_id: thing }),
          },
          { signal },
        ),
  )
  const pages = useLinkedPages(subdomain, thing)
  return (
    <>
      <ViewTitle
        title={title}
        of={space.name}
        text={
          <>
            Draft by <bdi>{handle}</bdi>, changed <RelativeTime at={updated_at} />.{' '}
            {shared_until !== null && (
              <>
                The link stops working <RelativeTime at={shared_until} />.
              </>
            )}
          </>
        }
      >
        <Badge color="gray" variant="light" tt="none">
          Draft
        </Badge>
      </ViewTitle>
      <div className={classes.frame}>
        <Preview {...preview} site={space.url} title={`Preview of ${title}`} pages={pages} />
      </div>
    </>
  )
}
