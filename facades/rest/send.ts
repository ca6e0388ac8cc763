import type { ServerResponse } from 'node:http'
import type { RateState } from '../../routers/api/context.ts'
import { sendPrivate } from '../http/send.ts'
import { jsonInSlices } from '../http/slices.ts'

/** Sends the result of an operation as JSON; a 204 has no body. @param tag entity tag of a read, without quotes */
export const sendResult = async (
  res: ServerResponse,
  status: number,
  result: unknown,
  rate: RateState | undefined,
  tag: string | undefined,
): Promise<void> => {
  const body =
    status === 204 ? null : { type: 'application/json; charset=utf-8', text: await jsonInSlices(result) }
  const isRead = res.req.method === 'GET' || res.req.method === 'HEAD'
  sendPrivate(res, { status, rate, headers: tagHeader(tag), body }, isRead)
}

/** Sends a 304: the caller already has the current version. */
export const sendNotModified = (
  res: ServerResponse,
  rate: RateState | undefined,
  tag: string | undefined,
): void => sendPrivate(res, { status: 304, rate, headers: tagHeader(tag), body: null }, false)

const tagHeader = (tag: string | undefined) => (tag === undefined ? {} : { ETag: `"${tag}"` })
