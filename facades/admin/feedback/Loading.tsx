import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** Placeholder for content that is loading. */
export const Loading = ({ rows = 4, height = 56 }: { rows?: number; height?: number }) => (
  <Stack gap="sm" role="status" aria-busy>
    <VisuallyHidden>Loading</VisuallyHidden>
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never reordered
      <Skeleton key={row} height={height} radius="md" />
    ))}
  </Stack>
)
