import { SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { Monogram } from '../icon/Monogram.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
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
      {overview.isPending && <Loading rows={2} height={240} />}
      {overview.isError && <FailureView error={overview.error} retry={() => void overview.refetch()} />}
      {overview.data && (
        <Stack gap="lg">
          <SiteAddress url={url} isEmpty={overview.data.usage.pages === 0} />
          {overview.data.usage.pages > 0 && <FailingPages subdomain={subdomain} />}
          {overview.data.usage.pages > 0 && <Visits subdomain={subdomain} />}
          <GetStarted subdomain={subdomain} usage={overview.data.usage} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
            <RecentChanges subdomain={subdomain} changes={overview.data.changes} />
            <Usage usage={overview.data.usage} limits={overview.data.limits} />
          </SimpleGrid>
        </Stack>
      )}
    </>
  )
}
