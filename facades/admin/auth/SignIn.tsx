import { Button, Divider, Stack, Text } from '@mantine/core'
import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { api } from '../api.ts'
import { PasskeyError, signInWithPasskey, supportsPasskeys } from '../security/ceremony.ts'
import { PasskeyFailure } from '../security/failures.tsx'
import { TextLink } from '../ui/ButtonLink.tsx'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { AuthTitle, NotSetUp } from './AuthTitle.tsx'
import { HandleField, PasswordField } from './fields.tsx'
import { useAfterSignIn } from './return-to.ts'

const route = getRouteApi('/auth/sign-in')
/** Signs in with a password or a passkey, and links to recovery codes and sign-up. */
export const SignIn = () => {
  const search = route.useSearch()
  const openDashboard = useAfterSignIn()
  const finish = () => openDashboard(search)
  const entry = useQuery(api.accounts.entry.queryOptions())
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { handle: '', password: '' } },
    api.sessions.create.mutationOptions({ onSuccess: finish }),
  )
  const byPasskey = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: finish })
  const [autofillFailure, setAutofillFailure] = useState<unknown>(null)
  const hasPasskeys = entry.data?.passkeys === true && supportsPasskeys()
  // Show the button even before it is known whether the service supports passkeys, so that the layout does not shift.
  const mayHavePasskeys = supportsPasskeys() && (hasPasskeys || entry.isPending)
  usePasskeyAutofill({
    // Browsers run only one passkey request at a time, so stop offering autofill while the button's request runs.
    enabled: hasPasskeys && !byPasskey.isPending,
    onSignedIn: () => void finish(),
    onFailure: setAutofillFailure,
  })
  return (
    <form {...props(values => values)}>
      <Stack>
        <AuthTitle title="Sign in" />
        {entry.data?.is_set_up === false && <NotSetUp />}
        <HandleField autoFocus autoComplete="username webauthn" {...form.getInputProps('handle')} />
        <PasswordField {...form.getInputProps('password')} />
        {failure}
        <Button type="submit" loading={mutation.isPending}>
          Sign in
        </Button>
        {mayHavePasskeys && (
          <>
            <Divider label="or" />
            <PasskeyFailure error={byPasskey.error ?? autofillFailure} />
            <Button
              variant="default"
              leftSection={<IconFingerprint size={18} aria-hidden />}
              onClick={() => byPasskey.mutate()}
              loading={byPasskey.isPending}
              disabled={!hasPasskeys}
            >
              Sign in with a passkey
            </Button>
          </>
        )}
        <Stack gap={6}>
          <Text size="sm" c="dimmed" ta="center">
            Forgot your password?{' '}
            <TextLink to="/recover" search={search}>
              Use a recovery code
            </TextLink>
          </Text>
          {/* An empty line in place of the text below, so that the card does not grow when the response arrives. */}
          {entry.isPending && (
            <Text size="sm" aria-hidden>
              &nbsp;
            </Text>
          )}
          {entry.data?.sign_up === 'open' && (
            <Text size="sm" c="dimmed" ta="center">
              New here?{' '}
              <TextLink to="/sign-up" search={search}>
                Create an account
              </TextLink>
            </Text>
          )}
          {entry.data?.sign_up === 'invite' && entry.data.is_set_up && (
            <Text size="sm" c="dimmed" ta="center">
              New here? You need an invitation to create an account.
            </Text>
          )}
        </Stack>
      </Stack>
    </form>
  )
}

/** Renew the challenge after this time, in ms. The service accepts it for five minutes. */
const RENEW_INTERVAL = 4 * 60 * 1000

interface AutofillOptions {
  /** Whether to offer passkeys at all. */
  enabled: boolean
  onSignedIn: () => void
  onFailure: (error: unknown) => void
}

/** Offers passkeys in the autofill suggestions of the handle field while the view is mounted. */
const usePasskeyAutofill = ({ enabled, ...listeners }: AutofillOptions) => {
  const onSignedIn = useEffectEvent(listeners.onSignedIn)
  const onFailure = useEffectEvent(listeners.onFailure)
  useEffect(() => {
    if (!enabled) return
    const offering = new AbortController()
    const offer = async () => {
      if (!(await browserSupportsWebAuthnAutofill()) || offering.signal.aborted) return
      try {
        await signInWithPasskey({ autofillSignal: offering.signal })
        // The session exists now, so report the sign-in even if the passkeys are no longer offered.
        onSignedIn()
      } catch (error) {
        // A `PasskeyError` is not a failure: the person cancelled the request or ignored it.
        if (!offering.signal.aborted && !(error instanceof PasskeyError)) onFailure(error)
      }
    }
    void offer()
    const timer = setInterval(() => void offer(), RENEW_INTERVAL)
    return () => {
      offering.abort()
      clearInterval(timer)
      WebAuthnAbortService.cancelCeremony()
    }
  }, [enabled])
}
