import { Alert, Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, client, queries } from '../api.ts'
import { RecoveryCodes } from '../auth/RecoveryCodes.tsx'
import { Confirm } from '../feedback/Confirm.tsx'

import { Loading } from '../feedback/Loading.tsx'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { SecretDialog } from '../feedback/SecretDialog.tsx'
import { useSession } from '../session.ts'
import { Section } from '../shell/Section.tsx'
import { unlessCancelled, useConfirmation } from './confirmation.tsx'
import { SectionFailure } from './SectionFailure.tsx'

/** How few are left before the view warns. */
const FEW = 2

/** How many recovery codes are left, and new ones. */
export const RecoverySection = () => {
  const { handle } = useSession()
  const status = useQuery(api.recovery.status.queryOptions())
  const [isAsking, asking] = useDisclosure()
  const confirmed = useConfirmation()
  const renew = useMutation({
    mutationFn: () => confirmed(() => client.recovery.renew.mutate()),
    onSuccess: () => {
      asking.close()
      return queries.invalidateQueries(api.recovery.status.pathFilter())
    },
  })
  const codes = renew.data?.recovery_codes
  const hasNone = status.data?.left === 0
  return (
    <Section
      title="Recovery codes"
      text="Each lets you in once when you have lost your password, and lets you set a new one."
      action={
        <Button
          variant="default"
          onClick={() => (hasNone ? renew.mutate() : asking.open())}
          loading={hasNone && renew.isPending}
          disabled={!status.data}
        >
          {hasNone ? 'Make codes' : 'Make new codes'}
        </Button>
      }
    >
      <Stack gap="sm">
        {status.isPending ? (
          <Loading rows={1} height={24} />
        ) : status.isError ? (
          <SectionFailure error={status.error} retry={() => void status.refetch()} />
        ) : status.data.left <= FEW ? (
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
            {hasNone
              ? 'You have none. Without a password or a passkey nobody could let you in but whoever runs this service.'
              : `Only ${status.data.left} left. Make new ones before you need them.`}
          </Alert>
        ) : (
          <Text size="sm">
            {status.data.left} left
            {status.data.made_at && (
              <>
                , made <RelativeTime at={status.data.made_at} />
              </>
            )}
            .
          </Text>
        )}
      </Stack>
      <Confirm
        opened={isAsking}
        onClose={() => {
          asking.close()
          renew.reset()
        }}
        title="Make new recovery codes?"
        action="Make new codes"
        onConfirm={() => renew.mutate()}
        pending={renew.isPending}
        error={unlessCancelled(renew.error)}
      >
        The ones you have stop working at once. You are shown ten new ones.
      </Confirm>
      <SecretDialog opened={codes !== undefined} title="Your new recovery codes" onSaved={renew.reset}>
        <RecoveryCodes handle={handle} codes={codes ?? []} />
      </SecretDialog>
    </Section>
  )
}
