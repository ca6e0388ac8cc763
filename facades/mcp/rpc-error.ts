import { type Problem, problemBody, problemOf } from '../../routers/api/problem.ts'
import { codes, RpcError } from './rpc.ts'

interface ErrorOptions {
  docsUrl: string
  onFault: (error: unknown, reference: string) => void
  /** Id of the request in the log. */
  reference: string
  challenge: Challenge
}

/** What a client needs in order to request a credential (RFC 9728, 5.1). */
export interface Challenge {
  resourceMetadata: string
  /** The scopes that the client should request. */
  scopes: readonly string[]
}

/**
 * Converts an error to a JSON-RPC error whose data is the problem that REST would return. A missing or invalid
 * credential also gets the challenge of RFC 6750, with the metadata address of RFC 9728.
 */
export const rpcErrorOf = (
  error: unknown,
  { docsUrl, onFault, reference, challenge }: ErrorOptions,
): RpcError => {
  if (error instanceof RpcError) return error
  const problem = problemOf(error)
  if (problem.problem === 'internal_error') onFault(problem.cause ?? problem, reference)
  const data = problemBody(problem, docsUrl, reference)
  const code =
    { invalid_json: codes.parse, internal_error: codes.internal }[problem.problem as string] ?? codes.refused
  return new RpcError(code, data.detail ?? data.title, {
    status: data.status,
    data,
    headers: {
      ...(data.status === 401 ? { 'WWW-Authenticate': challengeText(challenge) } : {}),
      ...retryHeaders(problem),
    },
  })
}

/** Returns the header that says when to retry, if the problem names a time. */
export const retryHeaders = ({ circumstances: { retryAfter } }: Problem): Record<string, string> =>
  retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }

const challengeText = ({ resourceMetadata, scopes }: Challenge) =>
  `Bearer resource_metadata="${resourceMetadata}", scope="${scopes.join(' ')}"`
