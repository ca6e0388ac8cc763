import { Alert, Anchor, Code } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMemo } from 'react'
import { failureOf, fieldErrors } from './failure.ts'
import { useOfflineNotice } from './offline.tsx'
import { formatWait, useCountdown } from './use-countdown.ts'

const NO_FIELDS: readonly string[] = []

/** Shows why submitting a form failed, above its button, unless all reasons are already shown at the fields.
 * @param names names of the fields that show their own errors
 */
export const FormFailure = ({ error, names = NO_FIELDS }: { error: unknown; names?: readonly string[] }) => {
  const failure = error ? failureOf(error) : null
  const { online } = useNetwork()
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads whether the browser was offline when the error occurred
  const wasOffline = useMemo(() => !navigator.onLine, [error])
  const left = useCountdown(failure?.retryAfter ?? null, error)
  const isOffline = failure?.kind === 'unreachable' && wasOffline
  useOfflineNotice(isOffline && !online)
  if (!failure) return null
  // The connection is back, so the cause is gone.
  if (isOffline && online) return null
  const shown = fieldErrors(failure, names)
  const others = failure.fields.filter(
    ({ field }) => !names.some(name => field === name || field.startsWith(`${name}.`)),
  )
  if (failure.kind === 'invalid' && Object.keys(shown).length > 0 && others.length === 0) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={failure.title} role="alert">
      {failure.code === 'internal_error' ? (
        <>
          This is an error on our side. Nothing you typed is lost. <Code>{failure.detail}</Code>
        </>
      ) : failure.kind === 'signed-out' ? (
        <>
          {failure.detail}{' '}
          <Anchor inherit underline="always" href="sign-in" target="_blank">
            Sign in
          </Anchor>
        </>
      ) : failure.retryAfter === null ? (
        failure.detail
      ) : left > 0 ? (
        `Wait ${formatWait(left)}, then try again.`
      ) : (
        'You can try again now.'
      )}
      {others.map(({ field, message }) => (
        <div key={field + message}>
          {field === '$' ? '' : `${field}: `}
          {message}
        </div>
      ))}
    </Alert>
  )
}
