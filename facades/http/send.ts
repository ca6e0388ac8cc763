import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { RateState } from '../../routers/core/context.ts'

/** The headers that report a caller's rate limit (contract: general conventions, 11). */
const rateHeaders = ({ limit, remaining, reset }: RateState) => ({
  'RateLimit-Limit': limit,
  'RateLimit-Remaining': remaining,
  'RateLimit-Reset': reset,
})

/** A response to an authenticated call. */
export interface PrivateResponse {
  status: number
  /** Null for a response without a body. */
  body: { type: string; text: string } | null
  /** The caller's rate limit after this call; undefined when the call was not counted. */
  rate: RateState | undefined
  headers?: OutgoingHttpHeaders
}

/** Sends a response that no cache may keep and whose type no browser may guess. */
export const sendPrivate = (res: ServerResponse, { status, body, rate, headers }: PrivateResponse): void => {
  res.writeHead(status, {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(rate ? rateHeaders(rate) : {}),
    ...headers,
    ...(body ? { 'Content-Type': body.type, 'Content-Length': Buffer.byteLength(body.text) } : {}),
  })
  res.end(body?.text)
}
