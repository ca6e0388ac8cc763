import type { IncomingMessage } from 'node:http'
import { type Actor, isConnected } from '../../routers/api/actor.ts'
import type { LastUsed } from '../../routers/api/context.ts'
import { Problem, problemOf } from '../../routers/api/problem.ts'
import type { Body } from '../http/body.ts'
import type { JsonPieces } from './result-json.ts'
import {
  codes,
  failed,
  type Reply,
  type Request,
  RpcError,
  requestFrom,
  requireJsonAccepted,
  retryHeaders,
} from './rpc.ts'
import type { ToolServer } from './servers.ts'

type AgentUse = NonNullable<Parameters<LastUsed['touch']>[1]>

/** What tells callers with and without access apart. */
export interface Access {
  /** Address of the main site. Browser requests from other origins may use only the credentials of connected apps. */
  apiRoot: string
  /** Called after every request of a caller with a valid credential, `tools/list` included. */
  onUse: (credentialId: string, use: AgentUse) => void
  /** Called with an `Authorization` header that has no valid credential. */
  onRefused: (authorization: string) => void
}

/** A caller who may use a tool server. */
export interface Admitted {
  actor: Actor
  caller: NonNullable<ReturnType<ToolServer['caller']>>
  scopes: readonly string[]
  /** Notes that the credential was used. */
  onUse: (use: Partial<AgentUse>) => void
}

/** Whether a request comes from a page of another origin. */
export const isForeign = ({ headers: { origin } }: IncomingMessage, apiRoot: string): boolean =>
  origin !== undefined && origin !== new URL(apiRoot).origin

/**
 * Admits a caller to a tool server.
 *
 * @param toolsFor returns how many tools a caller with these scopes sees
 * @throws `unauthorized`; RpcError for a page of another website, or a client that does not accept JSON
 */
export const admit = (
  req: IncomingMessage,
  actor: Actor | null,
  server: ToolServer,
  access: Access,
  toolsFor: (scopes: readonly string[]) => number,
): Admitted => {
  const caller = actor && server.caller(actor)
  if (!actor || !caller) {
    if (req.headers.authorization !== undefined) access.onRefused(req.headers.authorization)
    throw new Problem('unauthorized')
  }
  const scopes = actor.kind === 'session' ? [] : actor.scopes
  const onUse = (use: Partial<AgentUse>) =>
    access.onUse(caller.credentialId, {
      name: null,
      problem: null,
      isConnecting: false,
      ...use,
      tools: toolsFor(scopes),
    })
  if (isForeign(req, access.apiRoot) && !isConnected(actor)) {
    onUse({ problem: 'foreign_origin' })
    throw new RpcError(
      codes.refused,
      'Requests from other websites are refused, except those of apps that were connected through OAuth',
      { status: 403 },
    )
  }
  requireJsonAccepted(req)
  return { actor, caller, scopes, onUse }
}

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
