import { Button, Center } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { FormFailure } from './FormFailure.tsx'

interface ShowOlderProps {
  query: Pick<
    UseInfiniteQueryResult<unknown, unknown>,
    'error' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >
  /** What the list contains, such as "changes". */
  what: string
}

/** The end of a list that loads page by page: a button that loads the next page, and why the last attempt failed. */
export const ShowOlder = ({ query, what }: ShowOlderProps) => (
  <>
    <FormFailure error={query.error} />
    {query.hasNextPage && (
      <Center>
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show older {what}
        </Button>
      </Center>
    )}
  </>
)
