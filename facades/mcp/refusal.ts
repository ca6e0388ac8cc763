import { problemBody, problemOf } from '../../routers/core/problem.ts'
import { codes, RpcError } from './rpc.ts'

interface Circumstances {
  docsUrl: string
  onFault: (error: unknown, reference: string) => void
  /** The number under which the request stands in the log. */
  reference: string
  resourceMetadata?: string
}

/**
 * Whatever keeps a request from being answered, as the JSON-RPC error that tells so; the problem as REST tells it
 * is its data. A credential that is missing or bad also gets the challenge of RFC 6750, with the address of
 * RFC 9728 where there is one.
 */
export const refusalOf = (
  error: unknown,
  { docsUrl, onFault, reference, resourceMetadata }: Circumstances,
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
    headers: data.status === 401 ? { 'WWW-Authenticate': challenge(resourceMetadata) } : {},
  })
}

const challenge = (resourceMetadata: string | undefined) =>
  resourceMetadata === undefined ? 'Bearer' : `Bearer resource_metadata="${resourceMetadata}"`
