import { Text } from '@mantine/core'
import { useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { rpc } from '../api.ts'
import { ICONS } from '../history/ChangeRow.tsx'
import { eventOf, titleOf } from '../history/describe.ts'
import { PreviewFrames } from '../preview/PreviewFrames.tsx'
import { usePreview } from '../preview/use-preview.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Section } from '../ui/Section.tsx'
import { useSpace } from '../use-space.ts'
import type { HeardChange } from './changes.ts'
import classes from './Live.module.css'
import { useOnChange } from './refetch.ts'
import { authorsOf, shortName } from './summary.ts'

/** Number of changes in the list. */
const LISTED = 6

/** Width in CSS pixels of the window in which the home page is shown, smaller. */
const WINDOW = 1280

const NO_PAGES: readonly string[] = []
const ignore = () => {}

interface LivePanelProps {
  /** The page with the slug `index`; null if the space has none. */
  homePage: string | null
  /** What others have changed since the view was opened, newest first. */
  changes: readonly HeardChange[]
}

/** The home page of the space, and what others are changing just now. */
export const LivePanel = ({ homePage, changes }: LivePanelProps) => (
  <Section
    title="Happening now"
    text={authorsOf(changes)
      .map(({ name, done }) => shownText(`${name} ${done}`))
      .join('. ')}
  >
    <div className={classes.now}>
      {homePage !== null && <HomePage key={homePage} page={homePage} />}
      <ul className={classes.list} aria-label="Latest changes">
        {changes.slice(0, LISTED).map(change => (
          <li key={change.id}>
            <span aria-hidden>{ICONS[change.kind]}</span>
            <div>
              <Text size="sm" fw={600}>
                {shownText(titleOf(change))}
              </Text>
              <Text size="sm" c="dimmed">
                {shownText(eventOf(change))} by {shownText(shortName(change.actor))},{' '}
                <RelativeTime at={change.at} />
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </div>
  </Section>
)

/** The saved home page, as readers see it, evaluated again whenever something changes. */
const HomePage = ({ page }: { page: string }) => {
  const { subdomain, url } = useSpace()
  const [editor] = useState(() => Math.random().toString(36).slice(2))
  const { document, refresh } = usePreview(async signal => {
    const { slug, kind, html } = await rpc.pages.get.query({ subdomain, page_id: page }, { signal })
    return rpc.previews.page.mutate({ subdomain, editor, slug, kind, html }, { signal })
  })
  useOnChange(subdomain, null, refresh)
  return (
    <div className={classes.site}>
      <PreviewFrames
        document={document}
        site={url}
        title="Home page"
        pages={NO_PAGES}
        onLink={ignore}
        tracked={null}
        onMark={undefined}
        overlay={undefined}
        width={WINDOW}
        onSettled={ignore}
      />
    </div>
  )
}
