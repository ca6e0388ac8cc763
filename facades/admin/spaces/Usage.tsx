import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { limits as fixed, rules } from '../../../routers/api/rules.ts'
import type { Outputs } from '../api.ts'
import { Loading } from '../ui/Loading.tsx'
import { formatBytes, formatNumber } from '../ui/numbers.ts'
import { Section } from '../ui/Section.tsx'
import type { Quota } from './QuotaBars.tsx'

/** From this share on, a quota is shown by itself. */
const NEAR = 0.7

const QuotaBars = lazy(async () => ({ default: (await import('./QuotaBars.tsx')).QuotaBars }))

type UsageProps = Pick<Outputs['spaces']['overview'], 'usage' | 'limits'>

const quotasOf = ({ usage, limits }: UsageProps): Quota[] => [
  { label: 'Pages', used: usage.pages, quota: limits.pages },
  { label: 'Parts', used: usage.parts, quota: limits.parts },
  { label: 'Parts, in characters', used: usage.parts_length, quota: rules.part.total_max_length },
  { label: 'Data records', used: usage.records, quota: rules.data.max_records },
  { label: 'Data, in bytes', used: usage.data_bytes, quota: rules.data.total_max_bytes, format: formatBytes },
  { label: 'Files', used: usage.files, quota: limits.files },
  { label: 'Files, in bytes', used: usage.file_bytes, quota: rules.file.quota_bytes, format: formatBytes },
  { label: 'Participants', used: usage.participants, quota: limits.participants },
  { label: 'Keys', used: usage.keys, quota: fixed.keys },
]

const shareOf = ({ used, quota }: Quota) => used / quota

/** Shows which limits and quotas a space is near, and on request how much of each it uses. */
export const Usage = (props: UsageProps) => {
  const [isOpen, { toggle }] = useDisclosure()
  const quotas = quotasOf(props)
  const near = quotas.filter(quota => shareOf(quota) >= NEAR)
  const shown = isOpen ? quotas : near
  const fullest = quotas.reduce((a, b) => (shareOf(b) > shareOf(a) ? b : a))
  const { label, used, quota, format = formatNumber } = fullest
  return (
    <Section
      title="Usage"
      text={
        near.length === 0
          ? `Far from every limit. The fullest: ${label.toLowerCase()}, ${format(used)} of ${format(quota)}.`
          : 'A limit is near.'
      }
      action={
        <Button variant="subtle" size="xs" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Show less' : 'All limits'}
        </Button>
      }
    >
      {shown.length > 0 && (
        <Suspense fallback={<Loading rows={shown.length} height={36} />}>
          <QuotaBars quotas={shown} />
        </Suspense>
      )}
    </Section>
  )
}
