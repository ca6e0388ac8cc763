import { Button, Stack, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { createPasskey, supportsPasskeys } from '../passkeys/ceremony.ts'
import { PasskeyFailure } from '../passkeys/PasskeyFailure.tsx'
import { LoadingRows } from '../shell/LoadingRows.tsx'
import { Rows } from '../shell/Rows.tsx'
import { Section } from '../shell/Section.tsx'
import { useConfirmedMutation } from './confirmation.tsx'
import { PasskeyRow } from './PasskeyRow.tsx'
import { SectionFailure } from './SectionFailure.tsx'

/** Lists passkeys; adds, renames and deletes them. */
export const PasskeysSection = () => {
  const entry = useQuery(api.accounts.entry.queryOptions())
  const passkeys = useQuery(api.passkeys.list.queryOptions())
  const add = useConfirmedMutation({
    mutationKey: api.passkeys.pathKey(),
    mutationFn: () => createPasskey(),
    onSuccess: ({ label }) => notifySuccess(`Passkey “${label}” added.`),
  })
  const canAdd = entry.data?.passkeys === true && supportsPasskeys()
  return (
    <Section
      title="Passkeys"
      text="Sign in with your fingerprint, face, device PIN or security key, without typing anything."
      action={
        canAdd && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={18} aria-hidden />}
            onClick={() => add.mutate()}
            loading={add.isPending}
          >
            Add a passkey
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <PasskeyFailure error={add.error} />
        {passkeys.isPending ? (
          <LoadingRows count={1} />
        ) : passkeys.isError ? (
          <SectionFailure error={passkeys.error} retry={() => void passkeys.refetch()} />
        ) : passkeys.data.length === 0 ? (
          <Text size="sm">
            {entry.data?.passkeys === false
              ? 'Passkeys are not available here: browsers support them only over HTTPS and on a domain name, not an IP address.'
              : canAdd || entry.isPending
                ? 'You have no passkeys yet.'
                : 'This browser does not support passkeys.'}
          </Text>
        ) : (
          <Rows label="Passkeys">
            {passkeys.data.map(passkey => (
              <PasskeyRow key={passkey.id} passkey={passkey} />
            ))}
          </Rows>
        )}
      </Stack>
    </Section>
  )
}
