import { type ErrorCode, errors } from '../../routers/api/errors.ts'
import type { Callable, Operation } from '../operations/list.ts'

/** Errors of every operation. */
const ALWAYS: readonly ErrorCode[] = ['unauthorized', 'rate_limited', 'internal_error', 'unavailable']

/** Errors of operations that read a body. */
const WITH_BODY: readonly ErrorCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
]

/** Errors of calls with an `Idempotency-Key`. */
const WITH_KEY: readonly ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused']

/** Errors of requests that match no operation. */
export const ROUTING_ERRORS: readonly ErrorCode[] = ['not_found', 'method_not_allowed']

/**
 * Returns every error that an operation can return: the errors that it declares, and the errors that its method and
 * input imply.
 */
export const errorCodesOf = ({ meta, method, takesBody }: Operation): ErrorCode[] => [
  ...ALWAYS,
  ...(meta.api === 'space' ? (['space_mismatch'] as const) : []),
  ...(meta.scopes?.length ? (['insufficient_scope'] as const) : []),
  ...(takesBody ? WITH_BODY : []),
  ...(method === 'GET' ? [] : (['precondition_failed'] as const)),
  ...(method === 'POST' ? WITH_KEY : []),
  ...(meta.errors ?? []),
]

/** Returns the errors that a tool declares, without those that every tool can return. */
export const codesOfTool = ({ meta }: Callable): readonly ErrorCode[] => meta.errors ?? []

/** Every error that the APIs can respond with, in the order of the table of errors. */
export const documentedCodes = (
  apis: { operations: Operation[]; furtherTools: Callable[] }[],
): ErrorCode[] => {
  const used = new Set<ErrorCode>(ROUTING_ERRORS)
  for (const { operations, furtherTools } of apis)
    for (const code of [...operations.flatMap(errorCodesOf), ...furtherTools.flatMap(codesOfTool)])
      used.add(code)
  return (Object.keys(errors) as ErrorCode[]).filter(code => used.has(code))
}
