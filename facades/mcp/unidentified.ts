import type { IncomingMessage } from 'node:http'
import { problemOf } from '../../routers/api/problem.ts'
import type { Body } from '../http/body.ts'
import { requireJsonAccepted } from './require-json.ts'
import type { JsonPieces } from './result-json.ts'
import { failed, type Reply, type Request, RpcError, requestFrom } from './rpc.ts'
import { retryHeaders } from './rpc-error.ts'

/** How to read and answer a message without an identified caller. */
interface Unidentified {
  read: () => Promise<Body>
  reply: (request: Request, callTool: () => Promise<JsonPieces>) => Reply | Promise<Reply>
  /** Returns the result of a call that failed. @param name the name of the tool */
  refuse: (name: unknown) => JsonPieces
}

/**
 * Replies to a message whose credential cannot be looked up. If the database is unavailable, a tool call gets
 * a result that says so. Clients pass a result to the model, but abort on an HTTP error.
 *
 * @param error why the lookup failed; thrown for all other messages
 */
export const replyUnidentified = async (
  error: unknown,
  req: IncomingMessage,
  { read, reply, refuse }: Unidentified,
): Promise<Reply> => {
  const problem = problemOf(error)
  if (problem.problem !== 'unavailable') throw error
  requireJsonAccepted(req)
  const request = await requestIn(read)
  if (request?.method !== 'tools/call') throw error
  try {
    const result = await reply(request, async () => refuse(request.params.name))
    return { ...result, headers: retryHeaders(problem) }
  } catch (invalid) {
    if (invalid instanceof RpcError) return failed(request.id, invalid)
    throw invalid
  }
}

/**
 * Returns the request in the body; null if the body is invalid. The caller may be unauthenticated, and must
 * not learn what is wrong with the body.
 */
const requestIn = async (read: () => Promise<Body>): Promise<Request | null> => {
  try {
    return requestFrom((await read()).json)
  } catch {
    return null
  }
}
