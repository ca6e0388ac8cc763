import { Group, Text } from '@mantine/core'

/** The logo and name of the service. */
export const Brand = () => (
  <Group gap="xs" wrap="nowrap">
    <img src="../favicon.svg" width="28" height="28" alt="" />
    <Text fw={700} size="lg" span style={{ whiteSpace: 'nowrap' }}>
      Space Site
    </Text>
  </Group>
)
