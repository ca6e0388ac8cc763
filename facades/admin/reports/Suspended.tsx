import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, type Outputs, rpc } from '../api.ts'
import { PersonRow } from '../people/PersonRow.tsx'
import { PagedList, usePages } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { rowButton } from '../ui/RowButton.tsx'
import { Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'

type SuspendedPerson = Outputs['suspensions']['list']['people'][number]

/** Lists the suspended accounts, last suspended first. */
export const Suspended = () => {
  const list = usePages(api.suspensions.list.pathKey(), (cursor, options) =>
    rpc.suspensions.list.query({ cursor }, options),
  )
  return (
    <Section
      title="Suspended accounts"
      text="To suspend an account, go to a report or to the person’s profile."
    >
      <PagedList
        pages={list}
        itemsOf={page => page.people}
        what="accounts"
        placeholder={<LoadingRows count={1} />}
        empty={<Text c="dimmed">No account is suspended.</Text>}
      >
        {(people, list) => (
          <Rows label="Suspended accounts">
            {people.map(person => (
              <SuspendedRow key={person.handle} person={person} onLifted={() => list.current?.focus()} />
            ))}
          </Rows>
        )}
      </PagedList>
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
  const lifting = useMutation(
    api.suspensions.lift.mutationOptions({
      onSuccess: () => {
        notifySuccess(`The suspension of @${handle} is lifted.`)
        onLifted()
      },
      onError: notifyFailure,
    }),
  )
  return (
    <PersonRow person={person} verb="Suspended" note={reason}>
      <Button
        {...rowButton}
        aria-label={`Lift the suspension of ${handle}`}
        loading={lifting.isPending}
        onClick={() => lifting.mutate({ handle })}
      >
        Lift
      </Button>
    </PersonRow>
  )
}
