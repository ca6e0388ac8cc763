import { Button, Stack } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import picture from '../../shared/illustrations/quiet.svg?raw'
import { api, client, type Outputs, queries } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { notifyFailure, notifySuccess } from '../feedback/notify.ts'
import { ShowOlder } from '../feedback/ShowOlder.tsx'
import { LoadingRows } from '../shell/LoadingRows.tsx'
import { rowButton } from '../shell/RowButton.tsx'
import { Rows } from '../shell/Rows.tsx'
import { Section } from '../shell/Section.tsx'
import { PersonRow } from './PersonRow.tsx'

/** Lists the people that the account has muted or blocked, latest first. */
export const Muted = () => {
  const view = useRef<HTMLDivElement>(null)
  const list = useInfiniteQuery({
    queryKey: api.mutes.list.pathKey(),
    queryFn: ({ pageParam: cursor, signal }) => client.mutes.list.query({ cursor }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const reload = () => queries.invalidateQueries(api.mutes.pathFilter())
  const people = list.data?.pages.flatMap(page => page.people) ?? []
  const count = list.data?.pages[0]?.count ?? 0
  return (
    <Section
      title={count === 0 ? 'Muted and blocked' : `Muted and blocked (${count})`}
      text="You don’t see their posts in your lists, and are not notified of what they do. People you blocked also can’t like, comment on or reblog your posts, or follow you."
    >
      <div ref={view} tabIndex={-1} style={{ outline: 'none' }}>
        {list.isPending ? (
          <LoadingRows count={2} />
        ) : list.isError && people.length === 0 ? (
          <FailureView error={list.error} retry={() => void list.refetch()} />
        ) : people.length === 0 ? (
          <Empty
            picture={picture}
            title="You haven’t muted or blocked anyone"
            text="Choose “Mute or block” on a person’s profile, or below one of their posts or comments."
          />
        ) : (
          <Stack>
            <Rows label="People you muted or blocked">
              {people.map(person => (
                <MutedRow
                  key={person.handle}
                  person={person}
                  reload={reload}
                  onRemoved={() => view.current?.focus()}
                />
              ))}
            </Rows>
            <ShowOlder query={list} what="muted and blocked people" />
          </Stack>
        )}
      </div>
    </Section>
  )
}

interface MutedRowProps {
  person: Outputs['mutes']['list']['people'][number]
  reload: () => Promise<void>
  /** Called before the row disappears. */
  onRemoved: () => void
}

const MutedRow = ({ person, reload, onRemoved }: MutedRowProps) => {
  const { handle, is_blocked: isBlocked } = person
  const action = isBlocked ? 'Unblock' : 'Unmute'
  const remove = useMutation({
    mutationFn: () => client.mutes.remove.mutate({ handle }),
    onSuccess: async () => {
      notifySuccess(`@${handle} is no longer ${isBlocked ? 'blocked' : 'muted'}.`)
      onRemoved()
      await reload()
    },
    onError: notifyFailure,
  })
  return (
    <PersonRow person={person} verb={isBlocked ? 'Blocked' : 'Muted'}>
      <Button
        {...rowButton}
        aria-label={`${action} ${handle}`}
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {action}
      </Button>
    </PersonRow>
  )
}
