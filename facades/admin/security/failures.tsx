import { Alert, Button, Stack } from '@mantine/core'
import { FormFailure } from '../ui/FormFailure.tsx'
import { failureOf } from '../ui/failure.ts'
import { useCountdown } from '../ui/use-countdown.ts'
import { PasskeyError } from './ceremony.ts'

/** Shows why a passkey could not be created or used: an error of the browser or of the service. */
export const PasskeyFailure = ({ error }: { error: unknown }) =>
  error instanceof PasskeyError ? (
    <Alert color="yellow" role="alert">
      {error.message}
    </Alert>
  ) : (
    <FormFailure error={error} />
  )

/** Shown in a section that could not be loaded, with a retry button. Other sections are not affected. */
export const SectionFailure = ({ error, retry }: { error: unknown; retry: () => void }) => {
  const left = useCountdown(failureOf(error).retryAfter, error)
  return (
    <Stack gap="xs" align="start">
      <FormFailure error={error} />
      <Button variant="default" size="compact-md" onClick={retry} disabled={left > 0}>
        Try again
      </Button>
    </Stack>
  )
}
