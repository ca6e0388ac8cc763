import { Group, Text } from '@mantine/core'

/** The logo and name of the service. */
export const Brand = () => (
  <Group gap="xs" wrap="nowrap">
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#1f6f43" />
      <circle cx="16" cy="16" r="5" fill="#fff" />
      <ellipse
        cx="16"
        cy="16"
        rx="12"
        ry="4.5"
        fill="none"
        stroke="#fff"
        strokeWidth="2"
        transform="rotate(-28 16 16)"
      />
    </svg>
    <Text fw={700} size="lg" span style={{ whiteSpace: 'nowrap' }}>
      Space Site
    </Text>
  </Group>
)
