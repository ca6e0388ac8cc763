import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { notifySuccess } from '../feedback/notify.ts'
import { LoadingRows } from '../shell/LoadingRows.tsx'
import { Rows } from '../shell/Rows.tsx'
import { Section } from '../shell/Section.tsx'
import { SectionFailure } from './SectionFailure.tsx'
import { SessionRow } from './SessionRow.tsx'

/** Lists sessions, and ends them. */
export const SessionsSection = () => {
  const sessions = useQuery(api.sessions.list.queryOptions())
  const [isConfirming, confirmation] = useDisclosure()
  const endOthers = useMutation(
    api.sessions.endOthers.mutationOptions({
      onSuccess: () => {
        confirmation.close()
        notifySuccess('You are signed out everywhere else.')
      },
    }),
  )
  const hasOthers = (sessions.data ?? []).length > 1
  return (
    <Section
      title="Sessions"
      text="Where you are signed in. A session ends after a week without use."
      action={
        hasOthers && (
          <Button variant="default" onClick={confirmation.open}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {sessions.isPending ? (
          <LoadingRows count={1} />
        ) : sessions.isError ? (
          <SectionFailure error={sessions.error} retry={() => void sessions.refetch()} />
        ) : (
          <Rows label="Sessions">
            {sessions.data.map(session => (
              <SessionRow key={session.id} session={session} />
            ))}
          </Rows>
        )}
      </Stack>
      <Confirm
        opened={isConfirming}
        onClose={confirmation.close}
        title="Sign out everywhere else?"
        action="Sign out everywhere else"
        onConfirm={() => endOthers.mutate()}
        mutation={endOthers}
      >
        All other sessions end immediately. If you don’t recognize one of them, change your password too.
      </Confirm>
    </Section>
  )
}
