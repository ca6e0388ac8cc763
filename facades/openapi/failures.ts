import type { ErrorCode } from '../../routers/core/errors.ts'
import type { Operation } from '../operations.ts'

/** What any operation can end in: everybody needs a credential with calls left, and we may break. */
const ALWAYS: readonly ErrorCode[] = ['unauthorized', 'rate_limited', 'internal_error']

/** What reading a body can end in. */
const WITH_BODY: readonly ErrorCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
]

/** What a request can end in that reaches no operation. */
export const WITHOUT_OPERATION: readonly ErrorCode[] = ['not_found', 'method_not_allowed']

/** Every failure that an operation can answer with: what its shape implies and what it declares. */
export const codesOf = ({ meta, takesBody }: Operation): ErrorCode[] => [
  ...ALWAYS,
  ...(meta.api === 'space' ? (['space_mismatch'] as const) : []),
  ...(meta.scopes?.length ? (['insufficient_scope'] as const) : []),
  ...(takesBody ? WITH_BODY : []),
  ...(meta.errors ?? []),
]
