import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

interface LoadingProps {
  rows?: number
  height?: number
  /** The width of the content. */
  maw?: string
}

/** Placeholder for content that is loading. */
export const Loading = ({ rows = 4, height = 56, maw = 'none' }: LoadingProps) => (
  <Stack gap="sm" role="status" aria-busy maw={maw}>
    <VisuallyHidden>Loading</VisuallyHidden>
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never reordered
      <Skeleton key={row} height={height} radius="md" />
    ))}
  </Stack>
)
