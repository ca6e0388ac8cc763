import type { IncomingMessage } from 'node:http'
import accepts from 'accepts'
import { codes, RpcError } from './rpc.ts'

/** The value of the `Accept` header that the protocol requires. */
const ACCEPT = 'application/json, text/event-stream'

/** @throws RpcError unless the client accepts JSON */
export const requireJsonAccepted = (req: IncomingMessage): void => {
  if (req.headers.accept !== ACCEPT && !accepts(req).type('json'))
    throw new RpcError(codes.refused, 'The request must accept application/json', { status: 406 })
}
