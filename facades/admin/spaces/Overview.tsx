import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { api } from '../api.ts'
import { Monogram } from '../icon/Monogram.tsx'
import { isMine, useChanges } from '../live/changes.ts'
import { LiveAddress } from '../ui/LiveAddress.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { PagePicture } from '../ui/PagePicture.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useRole } from '../use-role.ts'
import { useSpace } from '../use-space.ts'
import { Visits } from '../visits/Visits.tsx'
import { FailingPages } from './FailingPages.tsx'
import { GetStarted } from './GetStarted.tsx'
import classes from './Overview.module.css'
import { RecentChanges } from './RecentChanges.tsx'
import { Usage } from './Usage.tsx'

/** The start view of a space: its site, visits, first steps, recent changes and usage. */
export const Overview = () => {
  const { subdomain, name, url, icon_url } = useSpace()
  const role = useRole(subdomain)
  const overview = useQuery(api.spaces.overview.queryOptions({ subdomain }))
  const news = useNews(subdomain)
  return (
    <>
      <ViewTitle
        title={name}
        picture={<Monogram src={icon_url} name={name} size={48} radius="md" visibleFrom="xs" />}
      />
      <Loaded query={overview} placeholder={<Loading rows={2} height={240} />}>
        {({ usage, changes, limits }) => (
          <Stack gap="lg">
            <Site url={url} isEmpty={usage.pages === 0}>
              {/* While something changes, the panel below shows the home page. */}
              {usage.pages > 0 && news.length === 0 && <PagePicture subdomain={subdomain} />}
            </Site>
            {news.length > 0 && (
              <Suspense fallback={<Loading rows={1} height={320} />}>
                <LivePanel homePage={usage.home_page_id} changes={news} />
              </Suspense>
            )}
            {usage.pages > 0 && <FailingPages subdomain={subdomain} />}
            <div className={classes.columns}>
              <Stack gap="lg">
                {usage.pages > 0 && <Visits subdomain={subdomain} />}
                {role !== 'editor' && <GetStarted subdomain={subdomain} usage={usage} />}
              </Stack>
              <Stack gap="lg">
                <RecentChanges subdomain={subdomain} changes={changes} />
                <Usage usage={usage} limits={limits} />
              </Stack>
            </div>
          </Stack>
        )}
      </Loaded>
    </>
  )
}

const LivePanel = lazy(async () => ({ default: (await import('../live/LivePanel.tsx')).LivePanel }))

/** What others have changed since the view was opened, newest first. */
const useNews = (subdomain: string) => {
  const [openedAt] = useState(Date.now)
  return useChanges(subdomain).filter(
    change => change.heardAt !== null && change.heardAt >= openedAt && !isMine(change),
  )
}

interface SiteProps {
  url: string
  /** Whether the site has no pages yet. */
  isEmpty: boolean
  /** The picture, if there is one. */
  children: ReactNode
}

/** A picture of the site, and its address with buttons that open and copy it. */
const Site = ({ url, isEmpty, children }: SiteProps) => (
  <div className={classes.site}>
    {children && <div className={classes.picture}>{children}</div>}
    <div className={classes.address}>
      <Group justify="space-between" gap="sm">
        <LiveAddress
          intro={isEmpty ? 'Your site’s address is' : 'Your site is live at'}
          url={url}
          what="the address"
          openLabel="Open site"
        />
      </Group>
      {isEmpty && (
        <Text size="sm" c="dimmed" mt="xs">
          It has no pages yet.
        </Text>
      )}
    </div>
  </div>
)
