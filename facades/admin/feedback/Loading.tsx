import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** In place of what is still being read: its rough shape. */
export const Loading = ({ rows = 4, height = 56 }: { rows?: number; height?: number }) => (
  <Stack gap="sm" role="status" aria-busy>
    <VisuallyHidden>Loading</VisuallyHidden>
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all the same and never change place
      <Skeleton key={row} height={height} radius="md" />
    ))}
  </Stack>
)
