import { Alert } from '@mantine/core'
import { FormFailure } from '../ui/FormFailure.tsx'
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
