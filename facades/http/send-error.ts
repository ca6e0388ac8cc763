import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RateState } from '../../routers/api/context.ts'
import { problemBody, problemOf } from '../../routers/api/problem.ts'
import { sendPrivate } from './send-private.ts'

/** Options of `sendError`. */
export interface ErrorOptions {
  docsUrl: string
  /** Called with internal errors and the reference that the caller sees. */
  onFault: (error: unknown, reference: string) => void
  /** Returns the id of a request in the log. */
  referenceOf: (req: IncomingMessage) => string
}

/**
 * Sends an error as `application/problem+json` (RFC 9457), unless the client disconnected before its request was
 * complete.
 */
export const sendError = (
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  rate: RateState | undefined,
  { docsUrl, onFault, referenceOf }: ErrorOptions,
): void => {
  if (req.destroyed && !req.complete) return
  const problem = problemOf(error)
  const reference = referenceOf(req)
  if (problem.problem === 'internal_error') onFault(problem.cause ?? problem, reference)
  const body = problemBody(problem, docsUrl, reference)
  const { retryAfter, allow } = problem.circumstances
  sendPrivate(
    res,
    {
      status: body.status,
      rate,
      headers: {
        ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
        ...(allow ? { Allow: allow.join(', ') } : {}),
        ...(body.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      },
      body: { type: 'application/problem+json; charset=utf-8', text: JSON.stringify(body) },
    },
    false,
  )
}
