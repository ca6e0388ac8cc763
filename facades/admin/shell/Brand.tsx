import { Group, Text } from '@mantine/core'

/**
 * The logo and name of the service.
 *
 * @param isCompact whether a narrow screen shows only the logo
 */
export const Brand = ({ isCompact = false }: { isCompact?: boolean }) => (
  <Group gap="xs" wrap="nowrap">
    <img src="../favicon.svg" width="28" height="28" alt="" />
    <Text
      fw={700}
      size="lg"
      span
      {...(isCompact ? { visibleFrom: 'md' } : {})}
      style={{ whiteSpace: 'nowrap' }}
    >
      Space Site
    </Text>
  </Group>
)
