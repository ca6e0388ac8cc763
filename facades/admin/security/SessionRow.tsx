import { Badge, Button, Group } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api, type Outputs, queries } from '../api.ts'
import { failureOf } from '../feedback/failure.ts'
import { notifyFailure, notifySuccess } from '../feedback/notify.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { Row } from '../shell/Rows.tsx'

type OpenSession = Outputs['sessions']['list'][number]

/** Systems that people carry around. */
const MOBILE = /(Android|iPhone|iPad)$/

/** One place where one is signed in. */
export const SessionRow = ({ session }: { session: OpenSession }) => {
  const name = session.client ?? 'Unknown browser'
  const refresh = () => queries.invalidateQueries(api.sessions.list.pathFilter())
  const end = useMutation(
    api.sessions.end.mutationOptions({
      onSuccess: () => {
        notifySuccess(`${name} is signed out`)
        return refresh()
      },
      onError: error => {
        // Ended already, by itself or from elsewhere: what was wanted is so.
        if (failureOf(error).code === 'session_not_found') void refresh()
        else notifyFailure(error)
      },
    }),
  )
  return (
    <Row
      icon={MOBILE.test(name) ? <IconDeviceMobile size={20} /> : <IconDeviceDesktop size={20} />}
      title={
        <Group gap="xs">
          {name}
          {session.is_current && (
            <Badge variant="light" tt="none">
              This browser
            </Badge>
          )}
        </Group>
      }
      text={
        <>
          Signed in <RelativeTime at={session.created_at} />
          {!session.is_current && (
            <>
              , last seen <RelativeTime at={session.last_seen_at} />
            </>
          )}
        </>
      }
    >
      {!session.is_current && (
        <Button
          variant="subtle"
          size="compact-md"
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
