import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { limits as fixed, rules } from '../../../routers/api/rules.ts'
import { api, type Outputs } from '../api.ts'
import { Monogram } from '../icon/Monogram.tsx'
import { isMine, useChanges } from '../live/changes.ts'
import { LiveAddress } from '../ui/LiveAddress.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { formatBytes } from '../ui/numbers.ts'
import { QuotaBar } from '../ui/QuotaBar.tsx'
import { Section } from '../ui/Section.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { Visits } from '../visits/Visits.tsx'
import { FailingPages } from './FailingPages.tsx'
import { GetStarted } from './GetStarted.tsx'
import { RecentChanges } from './RecentChanges.tsx'

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
            <Now subdomain={subdomain} homePage={usage.home_page_id} />
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

const LivePanel = lazy(async () => ({ default: (await import('../live/LivePanel.tsx')).LivePanel }))

/** What others are changing, from the first change that arrives while the view is open. */
const Now = ({ subdomain, homePage }: { subdomain: string; homePage: string | null }) => {
  const [openedAt] = useState(Date.now)
  const changes = useChanges(subdomain).filter(
    change => change.heardAt !== null && change.heardAt >= openedAt && !isMine(change),
  )
  if (changes.length === 0) return null
  return (
    <Suspense fallback={<Loading rows={1} height={320} />}>
      <LivePanel homePage={homePage} changes={changes} />
    </Suspense>
  )
}

interface SiteAddressProps {
  url: string
  /** Whether the site has no pages yet. */
  isEmpty: boolean
}

/** The address of the site, with buttons that open and copy it. */
export const SiteAddress = ({ url, isEmpty }: SiteAddressProps) => (
  <Paper withBorder radius="lg" p={{ base: 'md', sm: 'lg' }}>
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
  </Paper>
)

/** Shows how much of its limits and quotas a space uses. */
export const Usage = ({ usage, limits }: Pick<Outputs['spaces']['overview'], 'usage' | 'limits'>) => (
  <Section title="Usage" text="How much of each limit this space uses.">
    <Stack gap="md">
      <QuotaBar label="Pages" used={usage.pages} quota={limits.pages} />
      <QuotaBar label="Parts" used={usage.parts} quota={limits.parts} />
      <QuotaBar label="Parts, in characters" used={usage.parts_length} quota={rules.part.total_max_length} />
      <QuotaBar label="Data records" used={usage.records} quota={rules.data.max_records} />
      <QuotaBar
        label="Data, in bytes"
        used={usage.data_bytes}
        quota={rules.data.total_max_bytes}
        format={formatBytes}
      />
      <QuotaBar label="Files" used={usage.files} quota={limits.files} />
      <QuotaBar
        label="Files, in bytes"
        used={usage.file_bytes}
        quota={rules.file.quota_bytes}
        format={formatBytes}
      />
      <QuotaBar label="Participants" used={usage.participants} quota={limits.participants} />
      <QuotaBar label="Keys" used={usage.keys} quota={fixed.keys} />
    </Stack>
  </Section>
)
