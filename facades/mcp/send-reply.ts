import type { ServerResponse } from 'node:http'
import type { RateState } from '../../routers/api/context.ts'
import { sendPrivate } from '../http/send-private.ts'
import { joined } from './result-json.ts'
import type { Reply } from './rpc.ts'

/** Sends a JSON-RPC reply. Compression is safe, because no tool returns a credential. */
export const sendReply = (
  res: ServerResponse,
  { status, body, headers = {} }: Reply,
  rate: RateState | undefined,
): void =>
  sendPrivate(
    res,
    {
      status,
      rate,
      headers,
      body: body && { type: 'application/json', ...joined(body) },
    },
    true,
  )
