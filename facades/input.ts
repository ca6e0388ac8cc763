import { fieldErrors, Problem, unknownField } from '../routers/core/problem.ts'
import type { Operation } from './operations.ts'

/**
 * The input of an operation: what a caller sent beside what is settled elsewhere, by the address or by the key.
 *
 * @throws `validation_failed` when the caller names a settled field, which is a field too many, beside whatever
 *   else is wrong
 */
export const inputFrom = (operation: Operation, sent: object, settled: Record<string, string>): object => {
  const input = { ...sent, ...settled }
  const clashes = Object.keys(settled).filter(name => Object.hasOwn(sent, name))
  if (clashes.length === 0) return input
  const { error } = operation.input.safeParse(input)
  throw new Problem('validation_failed', {
    errors: [...clashes.map(unknownField), ...(error ? fieldErrors(error) : [])],
  })
}
