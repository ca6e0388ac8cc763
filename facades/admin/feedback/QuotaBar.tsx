import { Group, Progress, Stack, Text } from '@mantine/core'

interface QuotaBarProps {
  label: string
  used: number
  quota: number
  /** How a figure is written; as a plain number unless said. */
  format?: (figure: number) => string
}

const number = new Intl.NumberFormat('en')
const plain = (figure: number) => number.format(figure)

/** How much of a limit is used, in figures and as a bar that turns red when little is left. */
export const QuotaBar = ({ label, used, quota, format = plain }: QuotaBarProps) => {
  // To a tenth of a percent: assistive technology reads it out.
  const share = Math.min(100, Math.round((used / quota) * 1000) / 10)
  const color = share >= 95 ? 'red' : share >= 80 ? 'yellow' : undefined
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{label}</Text>
        <Text size="sm" c="dimmed">
          {format(used)} of {format(quota)}
        </Text>
      </Group>
      <Progress.Root size="md" radius="xl">
        <Progress.Section value={share} {...(color ? { color } : {})} aria-label={label} />
      </Progress.Root>
    </Stack>
  )
}
