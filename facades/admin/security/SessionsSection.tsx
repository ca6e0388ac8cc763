import { Badge, Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type Outputs } from '../api.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { failureOf } from '../ui/failure.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton } from '../ui/RowButton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { SectionFailure } from './failures.tsx'

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
        <Loaded query={sessions} placeholder={<LoadingRows count={1} />} failure={SectionFailure}>
          {list => (
            <Rows label="Sessions">
              {list.map(session => (
                <SessionRow key={session.id} session={session} />
              ))}
            </Rows>
          )}
        </Loaded>
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

type Session = Outputs['sessions']['list'][number]

/** Client names that end in a mobile operating system. */
const MOBILE = /(Android|iPhone|iPad)$/

/** One row of the list of sessions. */
export const SessionRow = ({ session }: { session: Session }) => {
  const name = session.client ?? 'Unknown browser'
  const end = useMutation(
    api.sessions.end.mutationOptions({
      onSuccess: () => notifySuccess(`${name} signed out.`),
      onError: error => {
        // If the session has already ended, that is the intended result.
        if (failureOf(error).code !== 'session_not_found') notifyFailure(error)
      },
    }),
  )
  return (
    <Row
      icon={MOBILE.test(name) ? <IconDeviceMobile size={20} /> : <IconDeviceDesktop size={20} />}
      title={name}
      badges={
        session.is_current && (
          <Badge variant="light" tt="none">
            This browser
          </Badge>
        )
      }
      text={
        <>
          Signed in <RelativeTime at={session.created_at} />
          {!session.is_current && (
            <>
              , last active <RelativeTime at={session.last_seen_at} />
            </>
          )}
        </>
      }
    >
      {!session.is_current && (
        <Button
          {...rowButton}
          onClick={() => end.mutate({ session_id: session.id })}
          loading={end.isPending}
          aria-label={`Sign out ${name}`}
        >
          Sign out
        </Button>
      )}
    </Row>
  )
}
