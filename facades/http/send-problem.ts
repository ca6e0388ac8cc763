import type { ServerResponse } from 'node:http'
import type { RateState } from '../../routers/core/context.ts'
import { type Problem, problemBody } from '../../routers/core/problem.ts'
import { sendPrivate } from './send.ts'

/** Sends an error as `application/problem+json` (RFC 9457). */
export const sendProblem = (
  res: ServerResponse,
  problem: Problem,
  { docsUrl, reference, rate }: { docsUrl: string; reference: string; rate?: RateState | undefined },
): void => {
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
