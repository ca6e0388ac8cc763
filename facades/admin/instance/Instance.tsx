import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { limits } from '../../../routers/api/rules.ts'
import { api, type Outputs } from '../api.ts'
import { type Bar, Chart, formatDay, type Series } from '../chart/Chart.tsx'
import { Figures } from '../chart/Figures.tsx'
import { TopList, TopLists } from '../chart/TopList.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { formatBytes, formatNumber } from '../ui/numbers.ts'
import { OperatorsOnly } from '../ui/OperatorsOnly.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Section } from '../ui/Section.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { Checkup } from './Checkup.tsx'

type Overview = Outputs['instance']['overview']
type Day = Overview['days'][number]

/** How often the figures are read again while the view is visible, in ms. */
const REFRESH = 60_000

const DAY = 24 * 60 * 60_000

const { instanceDays: DAYS, instanceCounted: COUNTED } = limits

/** Shows how the whole installation is doing. For operators only. */
export const Instance = () => (
  <OperatorsOnly
    title="Service"
    text="Only operators can see how this service is doing. Its configuration lists them."
  >
    <State />
  </OperatorsOnly>
)

const State = () => {
  const overview = useQuery(api.instance.overview.queryOptions(undefined, { refetchInterval: REFRESH }))
  return (
    <>
      <ViewTitle title="Service" text="How this installation is doing, and what is wrong with it." />
      <Stack>
        <Loaded query={overview} placeholder={<Loading rows={3} height={180} />}>
          {shown => <Shown overview={shown} />}
        </Loaded>
        <Checkup />
      </Stack>
    </>
  )
}

/** A number that is counted only up to a limit. */
const upTo = (count: number) => (count >= COUNTED ? `${formatNumber(COUNTED)} or more` : count)

/** A bar for each of the last days of UTC. */
const barsOf = (days: readonly Day[], values: (day: Day | undefined) => number[]): Bar[] => {
  const known = new Map(days.map(day => [day.day, day]))
  return Array.from({ length: DAYS }, (_, index) => {
    const time = Date.now() - (DAYS - 1 - index) * DAY
    return {
      label: formatDay(time),
      values: values(known.get(new Date(time).toISOString().slice(0, 10))),
    }
  })
}

const CALLS: readonly Series[] = [
  { name: 'Calls', look: 'whole' },
  { name: 'Over the limit', look: 'limited' },
  { name: 'Failed', look: 'failed' },
]

const sumOf = (days: readonly Day[], field: Exclude<keyof Day, 'day'>) =>
  days.reduce((sum, day) => sum + day[field], 0)

const Shown = ({ overview }: { overview: Overview }) => {
  const { counts, days, storage, process } = overview
  return (
    <>
      <Section title="People and spaces" text="Of the whole installation.">
        <Figures
          figures={[
            ['Accounts', upTo(counts.accounts)],
            ['Suspended', upTo(counts.suspended)],
            ['Spaces', upTo(counts.spaces)],
            ['Open reports', upTo(counts.open_reports)],
          ]}
        />
      </Section>
      <Section
        title="Visits"
        text={`All sites in the last ${DAYS} days, in UTC. All processes write their figures every few seconds.`}
      >
        {overview.counts_visits ? (
          <Stack gap="lg">
            <Figures
              figures={[
                ['Views', sumOf(days, 'views')],
                ['Not found', sumOf(days, 'not_found')],
                ['Failed', sumOf(days, 'failed_visits')],
              ]}
            />
            <Chart
              title="Views by day"
              unit="Day"
              series={[{ name: 'Views', look: 'whole' }]}
              bars={barsOf(days, day => [day?.views ?? 0])}
            />
            <TopLists>
              <TopList
                title="Sites read most today"
                empty="No site was read today."
                names={overview.busiest.map(({ subdomain, url, views }) => ({
                  name: subdomain,
                  url,
                  count: views,
                }))}
              />
              <TopList
                title="Pages that failed since yesterday"
                empty="No page failed."
                names={overview.failing_pages.map(({ subdomain, path, url, requests }) => ({
                  name: `${subdomain}: ${path}`,
                  url,
                  count: requests,
                }))}
              />
            </TopLists>
          </Stack>
        ) : (
          <Text size="sm">This service counts no visits (VISITS=0).</Text>
        )}
      </Section>
      <Section title="Calls" text={`Of all keys and tokens in the last ${DAYS} days, in UTC.`}>
        <Stack gap="lg">
          <Figures
            figures={[
              ['Calls', sumOf(days, 'calls')],
              ['Over the limit', sumOf(days, 'limited_calls')],
              ['Failed', sumOf(days, 'failed_calls')],
            ]}
          />
          <Chart
            title="Calls by day"
            unit="Day"
            series={CALLS}
            bars={barsOf(days, day => [day?.calls ?? 0, day?.limited_calls ?? 0, day?.failed_calls ?? 0])}
          />
        </Stack>
      </Section>
      <Section
        title="Storage"
        text="The database with all that it keeps. Bytes of files in a file store are not included."
      >
        <Figures
          figures={[
            ['Database', formatBytes(storage.database)],
            ['Files in it', formatBytes(storage.files)],
            ['History in it', formatBytes(storage.history)],
            ...(process.free_disk === null
              ? []
              : [['Free on its disk', formatBytes(process.free_disk)] as const]),
          ]}
        />
      </Section>
      <Section title="Domains of spaces" text="Each is checked at least once a day.">
        <Stack gap="lg">
          <Figures
            figures={[
              ['Verified', upTo(counts.verified_domains)],
              ['Not verified yet', upTo(counts.unverified_domains)],
              ['Checks that are due', upTo(overview.due_domain_checks)],
            ]}
          />
          {overview.failing_domains.length > 0 && (
            <ul style={{ margin: 0, paddingInlineStart: '1.25rem' }}>
              {overview.failing_domains.map(({ domain, subdomain, since }) => (
                <Text
                  component="li"
                  size="sm"
                  key={`${subdomain} ${domain}`}
                  style={{ overflowWrap: 'anywhere' }}
                >
                  {domain} of {subdomain} has not led here since <RelativeTime at={since} />.
                </Text>
              ))}
            </ul>
          )}
        </Stack>
      </Section>
      <Process process={process} />
    </>
  )
}

/** The process that answered. */
const Process = ({ process }: { process: Overview['process'] }) => (
  <Section
    title="Process and background work"
    text={
      <>
        Version {process.version}, started <RelativeTime at={process.started_at} />.{' '}
        {process.processes > 1
          ? `These figures are of one of ${process.processes} processes, the one that answered just now; the metrics show all.`
          : 'This is the only process.'}
      </>
    }
  >
    <Stack gap="lg">
      <Figures
        figures={[
          ['Memory', formatBytes(process.memory)],
          ['Connections', process.connections],
          ['Refused connections', process.refused_connections],
          ['Waiting for the database', process.database_connections.waiting],
          ['Waiting evaluations', process.evaluations.waiting],
          ['Evaluations cut off', process.evaluations.cut_off],
        ]}
      />
      {process.backups && (
        <Text size="sm">
          {process.backups.newest_at === null ? (
            'There is no scheduled backup yet.'
          ) : (
            <>
              The newest scheduled backup was made <RelativeTime at={process.backups.newest_at} />.
            </>
          )}{' '}
          {process.backups.failures > 0 && `${process.backups.failures} have failed since the start.`}
        </Text>
      )}
      {process.failed_work.length === 0 ? (
        <Text size="sm">No background work has failed since the start.</Text>
      ) : (
        <ul style={{ margin: 0, paddingInlineStart: '1.25rem' }}>
          {process.failed_work.map(({ what, times, latest_at }) => (
            <Text component="li" size="sm" key={what}>
              {what}: {times === 1 ? 'once' : `${formatNumber(times)} times`}, last{' '}
              <RelativeTime at={latest_at} />. The log says why.
            </Text>
          ))}
        </ul>
      )}
    </Stack>
  </Section>
)
