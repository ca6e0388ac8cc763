import type { ServerResponse } from 'node:http'
import type { RateState } from '../../routers/core/context.ts'
import { type Problem, problemBody } from '../../routers/core/problem.ts'

/** Headers of every answer: it is for this caller alone, and it is what it says it is. */
const ALWAYS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

/** The headers that tell how many calls are left (contract: general conventions, 11; decision 10). */
export const rateHeaders = ({ limit, remaining, reset }: RateState) => ({
  'RateLimit-Limit': limit,
  'RateLimit-Remaining': remaining,
  'RateLimit-Reset': reset,
})

/** Answers with a success; 204 goes without a body. */
export const succeed = (
  res: ServerResponse,
  status: number,
  body: unknown,
  rate: RateState | undefined,
): void => {
  const headers = { ...ALWAYS, ...(rate ? rateHeaders(rate) : {}) }
  if (status === 204) {
    res.writeHead(204, headers).end()
    return
  }
  const text = JSON.stringify(body)
  res
    .writeHead(status, {
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text)
}

/** Answers with a failure as `application/problem+json` (RFC 9457). */
export const fail = (
  res: ServerResponse,
  problem: Problem,
  { docsUrl, reference, rate }: { docsUrl: string; reference: string; rate?: RateState | undefined },
): void => {
  const body = problemBody(problem, docsUrl, reference)
  const { retryAfter, allow } = problem.circumstances
  const text = JSON.stringify(body)
  res
    .writeHead(body.status, {
      ...ALWAYS,
      ...(rate ? rateHeaders(rate) : {}),
      ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
      ...(allow ? { Allow: allow.join(', ') } : {}),
      ...(body.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text)
}
