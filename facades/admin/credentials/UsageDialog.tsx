import { Anchor, Badge, Code, Modal, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { limits } from '../../../routers/api/rules.ts'
import picture from '../../shared/illustrations/keys.svg?raw'
import { type Outputs, root } from '../api.ts'
import { type Bar, Chart, formatDay, type Series } from '../chart/Chart.tsx'
import { Figures } from '../chart/Figures.tsx'
import { Empty } from '../ui/Empty.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import type { Credential, Noun } from './credential.ts'
import classes from './UsageDialog.module.css'

export type UsageFigures = Outputs['keys']['usage']
type FailedCall = UsageFigures['failures'][number]

/** How often the figures are read again while the dialog is open, in ms. The service writes them every 5 seconds. */
const REFRESH = 5_000

const DAY = 24 * 60 * 60_000

const RESULTS = ['succeeded', 'refused', 'limited', 'failed'] as const

const SERIES: readonly Series[] = [
  { name: 'Succeeded', look: 'whole' },
  { name: 'Refused', look: 'refused' },
  { name: 'Over the limit', look: 'limited' },
  { name: 'Failed', look: 'failed' },
]

/** A bar for every day of the period, also for those without calls. */
const barsOf = ({ first_day: first, last_day: last, days }: UsageFigures): Bar[] => {
  const known = new Map(days.map(day => [Date.parse(day.day), day]))
  const bars: Bar[] = []
  for (let day = Date.parse(first); day <= Date.parse(last); day += DAY) {
    const counts = known.get(day)
    const values = RESULTS.map(result => counts?.[result] ?? 0)
    // Each result is drawn above the following ones.
    const heights = values.map((_, index) => values.slice(index).reduce((sum, value) => sum + value, 0))
    bars.push({ label: formatDay(day), values, heights })
  }
  return bars
}

interface UsageDialogProps {
  noun: Noun
  credential: Credential
  read: () => Promise<UsageFigures>
  onClose: () => void
}

/** Shows how a key or token was used lately: its calls by day and result, and those that did not succeed. */
export const UsageDialog = ({ noun, credential, read, onClose }: UsageDialogProps) => {
  useFocusReturn()
  const usage = useQuery({
    queryKey: ['usage', noun, credential.id],
    queryFn: read,
    refetchInterval: REFRESH,
  })
  const { last_used_at: lastUsed } = credential
  return (
    <Modal opened onClose={onClose} title={`Usage of “${credential.label}”`} size="lg" centered>
      <Stack>
        <Text size="sm" c="dimmed">
          The last {limits.usageDays} days, in UTC.{' '}
          {lastUsed !== null && (
            <>
              Last used <RelativeTime at={lastUsed} />.
            </>
          )}
        </Text>
        <Loaded query={usage} placeholder={<Loading rows={1} height={200} />}>
          {figures =>
            figures.days.length === 0 && figures.failures.length === 0 ? (
              <Empty
                picture={picture}
                title={`No calls in the last ${limits.usageDays} days`}
                text={`A call appears here a few seconds after a program has used the ${noun}.`}
              />
            ) : (
              <Shown figures={figures} />
            )
          }
        </Loaded>
      </Stack>
    </Modal>
  )
}

const Shown = ({ figures }: { figures: UsageFigures }) => {
  const total = (result: (typeof RESULTS)[number]) => figures.days.reduce((sum, day) => sum + day[result], 0)
  return (
    <>
      <Figures
        figures={[
          ['Calls', RESULTS.reduce((sum, result) => sum + total(result), 0)],
          ['Refused', total('refused')],
          ['Over the limit', total('limited')],
          ['Failed', total('failed')],
        ]}
      />
      <Chart title="Calls by day and result" unit="Day" series={SERIES} bars={barsOf(figures)} />
      <div>
        <Title order={3} size="h5">
          Calls that did not succeed
        </Title>
        {figures.failures.length === 0 ? (
          <Text size="sm" c="dimmed">
            None in the last {limits.failedCallDays} days.
          </Text>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              The latest {limits.failedCalls} of the last {limits.failedCallDays} days. The log of the service
              has their references.
            </Text>
            <ul className={classes.failures}>
              {figures.failures.map(call => (
                <Failure key={call.reference + call.at} call={call} />
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  )
}

const Failure = ({ call: { at, method, path, status, code, fields, reference } }: { call: FailedCall }) => (
  <li>
    <Text size="sm" component="div" className={classes.result}>
      <Badge
        variant="light"
        tt="none"
        c="var(--mantine-color-text)"
        color={code === 'rate_limited' ? 'yellow' : status < 500 ? 'gray' : 'red'}
      >
        {code === 'rate_limited' ? 'Over the limit' : status}
      </Badge>
      <Anchor href={new URL(`docs#error-${code}`, root).href} underline="always">
        {code}
      </Anchor>
      <RelativeTime at={at} c="dimmed" />
    </Text>
    <Code className={classes.path}>
      {method} {path}
    </Code>
    {fields.length > 0 && <Text size="sm">Wrong: {fields.join(', ')}</Text>}
    <Text size="xs" c="dimmed">
      Reference {reference}
    </Text>
  </li>
)
