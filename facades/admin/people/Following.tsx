import { Button, Stack } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import picture from '../../shared/illustrations/people.svg?raw'
import { api, client, queries, root } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { notifyFailure, notifySuccess } from '../feedback/notify.ts'
import { ShowOlder } from '../feedback/ShowOlder.tsx'
import { LoadingRows } from '../shell/LoadingRows.tsx'
import { rowButton } from '../shell/RowButton.tsx'
import { Rows } from '../shell/Rows.tsx'
import { Section } from '../shell/Section.tsx'
import { HandleForm } from './HandleForm.tsx'
import { type Person, PersonRow } from './PersonRow.tsx'

/** Lists the people that the account follows, last followed first, with a form to follow another person. */
export const Following = () => {
  const view = useRef<HTMLDivElement>(null)
  const list = useInfiniteQuery({
    queryKey: api.follows.list.pathKey(),
    queryFn: ({ pageParam: cursor, signal }) => client.follows.list.query({ cursor }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const reload = () => queries.invalidateQueries(api.follows.pathFilter())
  const people = list.data?.pages.flatMap(page => page.people) ?? []
  const count = list.data?.pages[0]?.count ?? 0
  return (
    <Section
      title={count === 0 ? 'Following' : `Following ${count} ${count === 1 ? 'person' : 'people'}`}
      text="The posts of people you follow are on a separate page, newest first."
      action={
        <Button
          component="a"
          href={new URL('following', root).href}
          target="_blank"
          rel="noopener"
          variant="default"
          size="sm"
          rightSection={<IconExternalLink size={16} aria-hidden />}
        >
          Open their posts
        </Button>
      }
    >
      <Stack>
        <HandleForm
          label="Follow a person"
          action="Follow"
          save={async handle => {
            await client.follows.add.mutate({ handle })
            await reload()
            notifySuccess(`You follow ${handle.trim().replace(/^@?/, '@')}.`)
          }}
        />
        <div ref={view} tabIndex={-1} style={{ outline: 'none' }}>
          {list.isPending ? (
            <LoadingRows count={3} />
          ) : list.isError && people.length === 0 ? (
            <FailureView error={list.error} retry={() => void list.refetch()} />
          ) : people.length === 0 ? (
            <Empty
              picture={picture}
              title="You don’t follow anyone"
              text="Enter a handle above, or choose Follow on a person’s profile or below one of their posts."
            />
          ) : (
            <Stack>
              <Rows label="People you follow">
                {people.map(person => (
                  <FollowedRow
                    key={person.handle}
                    person={person}
                    reload={reload}
                    onRemoved={() => view.current?.focus()}
                  />
                ))}
              </Rows>
              <ShowOlder query={list} what="follows" />
            </Stack>
          )}
        </div>
      </Stack>
    </Section>
  )
}

interface FollowedRowProps {
  person: Person
  reload: () => Promise<void>
  /** Called before the row disappears. */
  onRemoved: () => void
}

const FollowedRow = ({ person, reload, onRemoved }: FollowedRowProps) => {
  const { handle } = person
  const unfollow = useMutation({
    mutationFn: () => client.follows.remove.mutate({ handle }),
    onSuccess: async () => {
      notifySuccess(`You no longer follow @${handle}.`)
      onRemoved()
      await reload()
    },
    onError: notifyFailure,
  })
  return (
    <PersonRow person={person} verb="Followed">
      <Button
        {...rowButton}
        aria-label={`Unfollow ${handle}`}
        loading={unfollow.isPending}
        onClick={() => unfollow.mutate()}
      >
        Unfollow
      </Button>
    </PersonRow>
  )
}
