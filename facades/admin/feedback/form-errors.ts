import type { UseFormReturnType } from '@mantine/form'
import { failureOf, fieldErrors } from './failure.ts'

/** Shows validation errors at their fields and focuses the first one. */
export const showErrors = <Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: unknown,
  names: readonly (keyof Values & string)[],
) => {
  const errors = fieldErrors(failureOf(error), names)
  form.setErrors(errors)
  const first = names.find(name => errors[name])
  if (first) form.getInputNode(first)?.focus()
}
