import type { ServerResponse } from 'node:http'
import type { RateState } from '../../routers/core/context.ts'
import { rateHeaders } from '../rest/answer.ts'
import type { Reply } from './rpc.ts'

/** Sends a reply. It is for this caller alone, and it is what it says it is. */
export const send = (
  res: ServerResponse,
  { status, text }: Reply,
  { rate, headers = {} }: { rate: RateState | undefined; headers?: Record<string, string> },
): void => {
  const all = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(rate ? rateHeaders(rate) : {}),
    ...headers,
  }
  if (text === null) {
    res.writeHead(status, all).end()
    return
  }
  res
    .writeHead(status, {
      ...all,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text)
}
