import { Alert } from '@mantine/core'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { PasskeyError } from './ceremony.ts'

/** Why a passkey could not be made or used: what the browser met, or what the service said. */
export const PasskeyFailure = ({ error }: { error: unknown }) =>
  error instanceof PasskeyError ? (
    <Alert color="yellow" role="alert">
      {error.message}
    </Alert>
  ) : (
    <FormFailure error={error} />
  )
