import { fieldErrors, Problem, unknownField } from '../../routers/api/problem.ts'
import type { Callable } from './list.ts'

/**
 * Combines the fields that a caller sent with the fields that the path or the credential fixes.
 *
 * @throws `validation_failed` when the caller sends a fixed field; reports that field as unknown, together with all
 * other errors
 */
export const inputFrom = async (
  operation: Callable,
  sent: object,
  fixed: Record<string, string>,
): Promise<object> => {
  const input = { ...sent, ...fixed }
  const clashes = Object.keys(fixed).filter(name => Object.hasOwn(sent, name))
  if (clashes.length === 0) return input
  const { error } = await operation.input.safeParseAsync(input)
  throw new Problem('validation_failed', {
    errors: [...clashes.map(unknownField), ...(error ? fieldErrors(error) : [])],
  })
}
