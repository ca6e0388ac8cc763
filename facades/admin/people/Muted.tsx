import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import picture from '../../shared/illustrations/quiet.svg?raw'
import { api, type Outputs, rpc } from '../api.ts'
import { Empty } from '../ui/Empty.tsx'
import { PagedList, usePages } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { rowButton } from '../ui/RowButton.tsx'
import { Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { PersonRow } from './PersonRow.tsx'

/** Lists the people that the account has muted or blocked, latest first. */
export const Muted = () => {
  const list = usePages(api.mutes.list.pathKey(), (cursor, options) =>
    rpc.mutes.list.query({ cursor }, options),
  )
  const count = list.data?.pages[0]?.count ?? 0
  return (
    <Section
      title={count === 0 ? 'Muted and blocked' : `Muted and blocked (${count})`}
      text="You don’t see their posts in your lists, and are not notified of what they do. People you blocked also can’t like, comment on or reblog your posts, or follow you."
    >
      <PagedList
        pages={list}
        itemsOf={page => page.people}
        what="muted and blocked people"
        placeholder={<LoadingRows count={2} />}
        empty={
          <Empty
            picture={picture}
            title="You haven’t muted or blocked anyone"
            text="Choose “Mute or block” on a person’s profile, or below one of their posts or comments."
          />
        }
      >
        {(people, list) => (
          <Rows label="People you muted or blocked">
            {people.map(person => (
              <MutedRow key={person.handle} person={person} onRemoved={() => list.current?.focus()} />
            ))}
          </Rows>
        )}
      </PagedList>
    </Section>
  )
}

interface MutedRowProps {
  person: Outputs['mutes']['list']['people'][number]
  /** Called before the row disappears. */
  onRemoved: () => void
}

const MutedRow = ({ person, onRemoved }: MutedRowProps) => {
  const { handle, is_blocked: isBlocked } = person
  const action = isBlocked ? 'Unblock' : 'Unmute'
  const remove = useMutation(
    api.mutes.remove.mutationOptions({
      onSuccess: () => {
        notifySuccess(`@${handle} is no longer ${isBlocked ? 'blocked' : 'muted'}.`)
        onRemoved()
      },
      onError: notifyFailure,
    }),
  )
  return (
    <PersonRow person={person} verb={isBlocked ? 'Blocked' : 'Muted'}>
      <Button
        {...rowButton}
        aria-label={`${action} ${handle}`}
        loading={remove.isPending}
        onClick={() => remove.mutate({ handle })}
      >
        {action}
      </Button>
    </PersonRow>
  )
}
