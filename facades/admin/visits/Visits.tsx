import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import picture from '../../shared/illustrations/pages.svg?raw'
import { api } from '../api.ts'
import { Chart } from '../chart/Chart.tsx'
import { Figures as FigureList } from '../chart/Figures.tsx'
import { TopList, TopLists } from '../chart/TopList.tsx'
import { saveFile } from '../save-file.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { formatNumber } from '../ui/numbers.ts'
import { Section } from '../ui/Section.tsx'
import { barsOf, csvOf, type Figures, PERIODS, type Period, seriesOf } from './bars.ts'

/** How often the figures are read again while the view is visible, in ms. The service writes them every 5 seconds. */
const REFRESH = { today: 5_000, other: 60_000 }

const CHARTS: Record<Period, { title: string; unit: string }> = {
  today: { title: 'Views by hour', unit: 'Hour' },
  month: { title: 'Views and visitors by day', unit: 'Day' },
  quarter: { title: 'Views and visitors by day', unit: 'Day' },
  year: { title: 'Views and visitors by week', unit: 'Week' },
}

/** Shows how often the site was read, where readers came from, and what they did not find. */
export const Visits = ({ subdomain }: { subdomain: string }) => {
  const [period, setPeriod] = useState<Period>('month')
  const visits = useQuery(
    api.visits.get.queryOptions(
      { subdomain, days: PERIODS[period].days },
      {
        placeholderData: keepPreviousData,
        refetchInterval: period === 'today' ? REFRESH.today : REFRESH.other,
      },
    ),
  )
  const figures = visits.data
  return (
    <Section
      title="Visits"
      text="Counted without cookies and without storing anything about readers. Robots, and readers who ask not to be tracked, don’t count."
      action={
        figures?.is_counting && (
          <Group gap="xs">
            <SegmentedControl
              aria-label="Period"
              size="xs"
              value={period}
              onChange={value => setPeriod(value as Period)}
              data={Object.entries(PERIODS).map(([value, { label }]) => ({ value, label }))}
            />
            <Button
              size="xs"
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() =>
                saveFile(
                  `visits-${subdomain}-${figures.first_day}-${figures.last_day}.csv`,
                  new Blob([csvOf(figures)], { type: 'text/csv' }),
                )
              }
            >
              CSV
            </Button>
          </Group>
        )
      }
    >
      <Loaded query={visits} placeholder={<Loading rows={1} height={200} />}>
        {figures =>
          !figures.is_counting && figures.days.length === 0 ? (
            <Text size="sm">
              Visits are not counted.{' '}
              <TextLink to="/spaces/$subdomain/settings" params={{ subdomain }}>
                Settings
              </TextLink>
            </Text>
          ) : figures.days.length === 0 && figures.hours.length === 0 ? (
            <Empty
              picture={picture}
              title={
                period === 'month'
                  ? 'Nobody has read your site lately'
                  : 'Nobody has read your site in this time'
              }
              text="Share its address. A visit appears here a few seconds after somebody opens a page."
            />
          ) : (
            <Shown period={period} figures={figures} />
          )
        }
      </Loaded>
    </Section>
  )
}

const Shown = ({ period, figures }: { period: Period; figures: Figures }) => {
  const about = figures.is_estimate ? 'about ' : ''
  const named = <Item,>(
    items: readonly Item[],
    name: (item: Item) => string,
    count: (item: Item) => number,
  ) => items.map(item => ({ name: name(item), count: count(item) }))
  return (
    <Stack gap="lg">
      <FigureList
        figures={[
          [period === 'today' ? 'Views today' : 'Views', figures.views],
          [
            period === 'today' ? 'Visitors today' : 'Visitors, day by day',
            about + formatNumber(figures.visitors),
          ],
          ['Not found', figures.not_found],
          ['Failed', figures.failed],
        ]}
      />
      <Chart {...CHARTS[period]} series={seriesOf(period)} bars={barsOf(period, figures, Date.now())} />
      <TopLists>
        <TopList
          title="Pages"
          empty="No page was read."
          names={named(
            figures.pages,
            ({ path }) => path,
            ({ views }) => views,
          )}
        />
        <TopList
          title="Where readers came from"
          empty="No reader followed a link from another website."
          names={named(
            figures.sources,
            ({ host }) => host,
            ({ views }) => views,
          )}
        />
        {figures.missing_paths.length > 0 && (
          <TopList
            title="Not found"
            empty=""
            names={named(
              figures.missing_paths,
              ({ path }) => path,
              ({ requests }) => requests,
            )}
          />
        )}
        {figures.failing_paths.length > 0 && (
          <TopList
            title="Failed"
            empty=""
            names={named(
              figures.failing_paths,
              ({ path }) => path,
              ({ requests }) => requests,
            )}
          />
        )}
      </TopLists>
      {!figures.is_counting && (
        <Text size="sm" c="dimmed">
          Visits are no longer counted.
        </Text>
      )}
    </Stack>
  )
}
