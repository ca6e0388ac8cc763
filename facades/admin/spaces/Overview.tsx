import { SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Monogram } from '../icon/Monogram.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { Visits } from '../visits/Visits.tsx'
import { FailingPages } from './FailingPages.tsx'
import { GetStarted } from './GetStarted.tsx'
import { RecentChanges } from './RecentChanges.tsx'
import { SiteAddress } from './SiteAddress.tsx'
import { Usage } from './Usage.tsx'

/** The start view of a space: address, visits, first steps, recent changes and usage. */
export const Overview = () => {
  const { subdomain, name, url, icon_url } = useSpace()
  const overview = useQuery(api.spaces.overview.queryOptions({ subdomain }))
  return (
    <>
      <ViewTitle
        title={name}
        picture={<Monogram src={icon_url} name={name} size={48} radius="md" visibleFrom="xs" />}
      />
      <Loaded query={overview} placeholder={<Loading rows={2} height={240} />}>
        {({ usage, changes, limits }) => (
          <Stack gap="lg">
            <SiteAddress url={url} isEmpty={usage.pages === 0} />
            {usage.pages > 0 && <FailingPages subdomain={subdomain} />}
            {usage.pages > 0 && <Visits subdomain={subdomain} />}
            <GetStarted subdomain={subdomain} usage={usage} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
              <RecentChanges subdomain={subdomain} changes={changes} />
              <Usage usage={usage} limits={limits} />
            </SimpleGrid>
          </Stack>
        )}
      </Loaded>
    </>
  )
}
