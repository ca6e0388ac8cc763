import { Group, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { formatNumber } from './numbers.ts'

interface QuotaBarProps {
  label: string
  /** Undefined while it loads. */
  used: number | undefined
  quota: number
  /** Formats the amounts; by default, as plain numbers. */
  format?: (amount: number) => string
}

/** Shows how much of a quota is used, in numbers and as a bar. The bar turns yellow, then red, when little is left. */
export const QuotaBar = ({ label, used, quota, format = formatNumber }: QuotaBarProps) => {
  // Rounded to a tenth of a percent, because screen readers read it out.
  const percent = Math.min(100, Math.round(((used ?? 0) / quota) * 1000) / 10)
  const color = percent >= 95 ? 'red' : percent >= 80 ? 'yellow' : undefined
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{label}</Text>
        <Text component="div" size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {used === undefined ? (
            <Skeleton display="inline-block" height="0.75em" width="5rem" />
          ) : (
            `${format(used)} of ${format(quota)}`
          )}
        </Text>
      </Group>
      <Progress.Root size="md" radius="xl">
        <Progress.Section value={percent} {...(color ? { color } : {})} aria-label={label} />
      </Progress.Root>
    </Stack>
  )
}
