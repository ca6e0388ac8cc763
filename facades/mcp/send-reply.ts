import type { ServerResponse } from 'node:http'
import type { RateState } from '../../routers/core/context.ts'
import { sendPrivate } from '../http/send.ts'
import type { Reply } from './rpc.ts'

/** Sends a JSON-RPC reply; one without text has no body. Compression is safe, because no tool returns a credential. */
export const sendReply = (
  res: ServerResponse,
  { status, text }: Reply,
  { rate, headers = {} }: { rate: RateState | undefined; headers?: Record<string, string> },
): void =>
  sendPrivate(
    res,
    {
      status,
      rate,
      headers,
      body: text === null ? null : { type: 'application/json', text },
    },
    true,
  )
