import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { RateState } from '../../routers/api/context.ts'
import { jsonInSlices } from '../http/json-in-slices.ts'
import { sendPrivate } from '../http/send-private.ts'

/** Sends the result of an operation as JSON; a 204 has no body. */
export const sendResult = async (
  res: ServerResponse,
  status: number,
  result: unknown,
  rate: RateState | undefined,
  headers: OutgoingHttpHeaders,
): Promise<void> => {
  const body =
    status === 204 ? null : { type: 'application/json; charset=utf-8', text: await jsonInSlices(result) }
  const isRead = res.req.method === 'GET' || res.req.method === 'HEAD'
  sendPrivate(res, { status, rate, headers, body }, isRead)
}
