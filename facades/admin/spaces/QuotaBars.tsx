import { Stack } from '@mantine/core'
import { QuotaBar } from '../ui/QuotaBar.tsx'

/** How much of something is used. */
export interface Quota {
  label: string
  used: number
  quota: number
  format?: (amount: number) => string
}

/** Bars of several quotas. Not loaded with the overview, because it seldom shows one. */
export const QuotaBars = ({ quotas }: { quotas: readonly Quota[] }) => (
  <Stack gap="md">
    {quotas.map(quota => (
      <QuotaBar key={quota.label} {...quota} />
    ))}
  </Stack>
)
