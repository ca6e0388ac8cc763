import { Alert, Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { RecoveryCodes } from '../auth/RecoveryCodes.tsx'
import { useSession } from '../session.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SecretDialog } from '../ui/SecretDialog.tsx'
import { Section } from '../ui/Section.tsx'
import { useConfirmedMutation } from './confirmation.tsx'
import { SectionFailure } from './failures.tsx'

/** Warn when this many codes or fewer are left. */
const LOW = 2

/** Shows how many recovery codes are left, and creates new ones. */
export const RecoverySection = () => {
  const { handle } = useSession()
  const status = useQuery(api.recovery.status.queryOptions())
  const [isConfirming, confirmation] = useDisclosure()
  const renew = useConfirmedMutation(api.recovery.renew.mutationOptions({ onSuccess: confirmation.close }))
  const codes = renew.data?.recovery_codes
  const hasNone = status.data?.left === 0
  return (
    <Section
      title="Recovery codes"
      text="If you lose your password, each code signs you in once, and you can set a new password."
      action={
        <Button
          variant="default"
          onClick={() => (hasNone ? renew.mutate() : confirmation.open())}
          loading={hasNone && renew.isPending}
          disabled={!status.data}
        >
          {hasNone ? 'Create codes' : 'Create new codes'}
        </Button>
      }
    >
      <Stack gap="sm">
        <Loaded query={status} placeholder={<Loading rows={1} height={24} />} failure={SectionFailure}>
          {({ left, made_at }) =>
            left <= LOW ? (
              <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
                {hasNone
                  ? 'You have no recovery codes. Without them, only the operator can restore your access.'
                  : `Only ${left} left. Create new ones before you need them.`}
              </Alert>
            ) : (
              <Text size="sm">
                {left} left
                {made_at && (
                  <>
                    , created <RelativeTime at={made_at} />
                  </>
                )}
                .
              </Text>
            )
          }
        </Loaded>
      </Stack>
      <Confirm
        opened={isConfirming}
        onClose={confirmation.close}
        title="Create new recovery codes?"
        action="Create new codes"
        onConfirm={() => renew.mutate()}
        mutation={renew}
      >
        Your current codes stop working immediately. You get ten new ones.
      </Confirm>
      <SecretDialog
        opened={codes !== undefined}
        what="codes"
        title="Your new recovery codes"
        onSaved={renew.reset}
      >
        <RecoveryCodes handle={handle} codes={codes ?? []} />
      </SecretDialog>
    </Section>
  )
}
