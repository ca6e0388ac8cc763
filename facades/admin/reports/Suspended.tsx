import { Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, client, type Outputs, queries } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { notifyFailure, notifySuccess } from '../feedback/notify.ts'
import { ShowOlder } from '../feedback/ShowOlder.tsx'
import { PersonRow } from '../people/PersonRow.tsx'
import { LoadingRows } from '../shell/LoadingRows.tsx'
import { rowButton } from '../shell/RowButton.tsx'
import { Rows } from '../shell/Rows.tsx'
import { Section } from '../shell/Section.tsx'

type SuspendedPerson = Outputs['suspensions']['list']['people'][number]

/** Lists the suspended accounts, last suspended first. */
export const Suspended = () => {
  const view = useRef<HTMLDivElement>(null)
  const list = useInfiniteQuery({
    queryKey: api.suspensions.list.pathKey(),
    queryFn: ({ pageParam: cursor, signal }) => client.suspensions.list.query({ cursor }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const people = list.data?.pages.flatMap(page => page.people) ?? []
  return (
    <Section
      title="Suspended accounts"
      text="To suspend an account, go to a report or to the person’s profile."
    >
      <div ref={view} tabIndex={-1} style={{ outline: 'none' }}>
        {list.isPending ? (
          <LoadingRows count={1} />
        ) : list.isError && people.length === 0 ? (
          <FailureView error={list.error} retry={() => void list.refetch()} />
        ) : people.length === 0 ? (
          <Text c="dimmed">No account is suspended.</Text>
        ) : (
          <Stack>
            <Rows label="Suspended accounts">
              {people.map(person => (
                <SuspendedRow key={person.handle} person={person} onLifted={() => view.current?.focus()} />
              ))}
            </Rows>
            <ShowOlder query={list} what="accounts" />
          </Stack>
        )}
      </div>
    </Section>
  )
}

interface SuspendedRowProps {
  person: SuspendedPerson
  /** Called before the row disappears. */
  onLifted: () => void
}

const SuspendedRow = ({ person, onLifted }: SuspendedRowProps) => {
  const { handle, reason } = person
  const lifting = useMutation({
    mutationFn: () => client.suspensions.lift.mutate({ handle }),
    onSuccess: async () => {
      notifySuccess(`The suspension of @${handle} is lifted.`)
      onLifted()
      await Promise.all([
        queries.invalidateQueries(api.suspensions.pathFilter()),
        queries.invalidateQueries(api.reports.pathFilter()),
      ])
    },
    onError: notifyFailure,
  })
  return (
    <PersonRow person={person} verb="Suspended" note={reason}>
      <Button
        {...rowButton}
        aria-label={`Lift the suspension of ${handle}`}
        loading={lifting.isPending}
        onClick={() => lifting.mutate()}
      >
        Lift
      </Button>
    </PersonRow>
  )
}
