import { failureOf, fieldErrors } from '../ui/failure.ts'

/** Whether an error says that the page or part being edited no longer exists. */
export const isDeletedError = (error: unknown): boolean =>
  Boolean(error) && ['page_not_found', 'part_not_found'].includes(failureOf(error).code ?? '')

/** Error codes that belong to one field. */
const FIELD_OF_CODE: Record<string, { field: string; message: string }> = {
  slug_taken: { field: 'slug', message: 'Another page has this slug. Choose a different slug.' },
  part_name_taken: { field: 'name', message: 'Another part has this name. Choose a different name.' },
}

/**
 * The error message of each field after a page or part could not be saved.
 *
 * @param names the form's fields
 */
export const templateErrors = (error: unknown, names: readonly string[]): Record<string, string> => {
  if (!error) return {}
  const failure = failureOf(error)
  const known = FIELD_OF_CODE[failure.code ?? '']
  if (known) return { [known.field]: known.message }
  if (failure.code === 'parts_quota_exceeded' && failure.detail) return { html: failure.detail }
  return fieldErrors(failure, names)
}
