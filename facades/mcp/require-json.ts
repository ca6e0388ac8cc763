import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'
import { codes, RpcError } from './rpc.ts'

/** The value of the `Accept` header that the protocol requires. */
const ACCEPT = 'application/json, text/event-stream'

/** @throws RpcError unless the client accepts JSON. Without an `Accept` header, it accepts everything. */
export const requireJsonAccepted = (req: IncomingMessage): void => {
  const { accept = '' } = req.headers
  if (accept !== '' && accept !== ACCEPT && !new Negotiator(req).mediaType(['application/json']))
    throw new RpcError(codes.refused, 'The request must accept application/json', { status: 406 })
}
