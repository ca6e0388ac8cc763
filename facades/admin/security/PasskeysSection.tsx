import { Button, Stack, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, queries } from '../api.ts'

import { Loading } from '../feedback/Loading.tsx'
import { notifySuccess } from '../feedback/notify.ts'
import { createPasskey, supportsPasskeys } from '../passkeys/ceremony.ts'
import { PasskeyFailure } from '../passkeys/PasskeyFailure.tsx'
import { Rows } from '../shell/Rows.tsx'
import { Section } from '../shell/Section.tsx'
import { unlessCancelled, useConfirmation } from './confirmation.tsx'
import { PasskeyRow } from './PasskeyRow.tsx'
import { SectionFailure } from './SectionFailure.tsx'

/** One's passkeys: made, renamed, deleted. */
export const PasskeysSection = () => {
  const entry = useQuery(api.accounts.entry.queryOptions())
  const passkeys = useQuery(api.passkeys.list.queryOptions())
  const confirmed = useConfirmation()
  const add = useMutation({
    mutationFn: () => confirmed(() => createPasskey()),
    onSuccess: ({ label }) => {
      notifySuccess(`${label} is a passkey of yours now`)
      return queries.invalidateQueries(api.passkeys.list.pathFilter())
    },
  })
  const canAdd = entry.data?.passkeys === true && supportsPasskeys()
  return (
    <Section
      title="Passkeys"
      text="Sign in with your fingerprint, your face, your device’s PIN or a security key, without typing anything."
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
        <PasskeyFailure error={unlessCancelled(add.error)} />
        {passkeys.isPending ? (
          <Loading rows={1} />
        ) : passkeys.isError ? (
          <SectionFailure error={passkeys.error} retry={() => void passkeys.refetch()} />
        ) : passkeys.data.length === 0 ? (
          <Text size="sm">
            {entry.data?.passkeys === false
              ? 'There can be none here: browsers make passkeys only for a host with a name, over https.'
              : canAdd || entry.isPending
                ? 'You have none yet.'
                : 'This browser knows no passkeys.'}
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
