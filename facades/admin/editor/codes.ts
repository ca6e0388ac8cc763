import { failureOf, fieldErrors } from '../feedback/failure.ts'

/** Failures that one field is about, though they are none of its own rules. */
const ABOUT: Record<string, { field: string; message: string }> = {
  slug_taken: { field: 'slug', message: 'Another page has this slug. Choose another one.' },
  part_name_taken: { field: 'name', message: 'Another part has this name. Choose another one.' },
}

/** What is wrong with each field, after saving failed: by the rules, or because something is taken. */
export const errorsOf = (error: unknown, names: readonly string[]): Record<string, string> => {
  if (!error) return {}
  const failure = failureOf(error)
  const about = ABOUT[failure.code ?? '']
  if (about) return { [about.field]: about.message }
  if (failure.code === 'parts_quota_exceeded' && failure.detail) return { html: failure.detail }
  return fieldErrors(failure, names)
}
