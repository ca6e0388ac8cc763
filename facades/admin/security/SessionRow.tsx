import { Badge, Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api, type Outputs } from '../api.ts'
import { failureOf } from '../feedback/failure.ts'
import { notifyFailure, notifySuccess } from '../feedback/notify.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { rowButton } from '../shell/RowButton.tsx'
import { Row } from '../shell/Rows.tsx'

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
