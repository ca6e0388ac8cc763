import { FormFailure } from '../feedback/FormFailure.tsx'
import { isDeletedError } from './DeletedNotice.tsx'
import { templateErrors } from './template-errors.ts'

/** Why saving failed, unless a field or the deletion notice already says so. */
export const SaveError = ({ error, names }: { error: unknown; names: readonly string[] }) => {
  if (!error || isDeletedError(error)) return null
  const hasFieldError = Object.keys(templateErrors(error, [])).length > 0
  return hasFieldError ? null : <FormFailure error={error} names={names} />
}
