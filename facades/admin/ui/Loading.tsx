import { Box, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Rows.module.css'

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

/** Widths of the titles, so that the rows look like text. */
const WIDTHS = ['14rem', '9rem', '17rem', '11rem']

interface LoadingRowsProps {
  count?: number
  /** Number of lines below the titles. */
  lines?: number
  /** Whether the rows have pictures instead of icons. */
  hasPictures?: boolean
  /** Placeholders above the rows, for content that is known only once the rows have loaded. */
  above?: ReactNode
}

/** Placeholder for `Rows` that are loading. */
export const LoadingRows = ({ count = 4, lines = 1, hasPictures = false, above }: LoadingRowsProps) => (
  <div role="status" aria-busy>
    <VisuallyHidden>Loading</VisuallyHidden>
    {above}
    <div className={classes.rows}>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are never reordered
        <div key={row} className={classes.row}>
          <div className={classes.main}>
            <Skeleton className={hasPictures ? classes.picture : classes.icon} />
            <div className={classes.about}>
              <div className={classes.bar}>
                <Skeleton height="0.75em" width={WIDTHS[row % WIDTHS.length]} maw="100%" />
              </div>
              {Array.from({ length: lines }, (_, line) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines are never reordered
                <Text key={line} size="sm" component="div" className={classes.bar}>
                  <Skeleton height="0.75em" width="22rem" maw="80%" />
                </Text>
              ))}
            </div>
          </div>
        </div>
      ))}
    </div>
  </div>
)

/** Placeholder for a search field above rows. */
export const LoadingSearch = () => <Skeleton height={36} maw="24rem" mb="md" />

/** Placeholder for the search field and the count of `SearchableList`. */
export const LoadingSearchAndCount = () => (
  <>
    <LoadingSearch />
    <Text size="sm" component="div" mb="xs" className={classes.bar}>
      <Skeleton height="0.75em" width="4rem" />
    </Text>
  </>
)

/** Placeholder for the checkbox that selects all rows. */
export const LoadingSelection = () => <Box h={36} mb="xs" />
