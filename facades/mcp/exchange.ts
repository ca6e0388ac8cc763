import type { IncomingMessage } from 'node:http'
import type { AnyTRPCRouter } from '@trpc/server'
import type { Actor } from '../../routers/api/actor.ts'
import type { Context, OperationCall } from '../../routers/api/context.ts'
import type { ErrorCode } from '../../routers/api/errors.ts'
import { Problem } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import type { Body } from '../http/body.ts'
import type { Admitted } from './admit.ts'
import { agentName, nameInRequest } from './agent-name.ts'
import { type CallOptions, ENVELOPE, toolCaller } from './call.ts'
import { handshakeProtocol } from './handshake.ts'
import { prepareServer } from './prepare-server.ts'
import type { JsonPieces } from './result-json.ts'
import { ACCEPTED, failed, type Reply, type Request, RpcError, requestFrom, retryHeaders } from './rpc.ts'
import type { ToolServer } from './servers.ts'
import { isStateless, statelessProtocol } from './stateless.ts'
import type { Tool } from './tools.ts'

/** Dependencies of the exchange of messages. */
export interface ExchangeOptions extends CallOptions {
  router: AnyTRPCRouter
  /** Creates the context of one call. `actor` is null if the caller cannot be identified. */
  contextFor: (actor: Actor | null) => Context
  /** Returns the id of a request in the log. */
  referenceOf: (req: object) => string
}

/** Errors of tool calls that concern the caller's access. */
const ACCESS_ERRORS: ReadonlySet<ErrorCode> = new Set(['insufficient_scope', 'rate_limited'])

/** Methods that agents call when they connect. */
const CONNECTING: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'tools/list'])

/** How the caller of a message is counted and confirmed. */
interface Attempt extends Pick<Context, 'onRate' | 'counted' | 'isHolder'> {
  /** The current holder of the credential. Reads do not wait for it. */
  confirmed: Promise<Actor | null>
}

/** Builds the message handlers of a server, which takes about 100 ms. */
export const prepareExchange = (server: ToolServer, options: ExchangeOptions) => {
  const prepared = prepareServer(options.router, server)
  const { call, refuse } = toolCaller(prepared.tools, options)
  const stateless = statelessProtocol(prepared)
  const handshake = handshakeProtocol(prepared)

  /** Whether a tool only reads; false for an unknown tool. */
  const isRead = (name: unknown) =>
    typeof name === 'string' && prepared.tools.get(name)?.operation.type === 'query'

  /** Handles a request with the protocol that its client uses. */
  const replyTo = (
    req: IncomingMessage,
    request: Request,
    scopes: readonly string[],
    callTool: () => Promise<JsonPieces>,
  ): Reply | Promise<Reply> => {
    const version = headerOf(req, 'mcp-protocol-version')
    if (!isStateless(request, version)) return handshake(request, scopes, callTool)
    const [method, name] = [headerOf(req, 'mcp-method'), headerOf(req, 'mcp-name')]
    return stateless(request, { version, method, name }, scopes, callTool)
  }

  /**
   * Replies to the message of a caller.
   *
   * @returns the reply; and `used`, to be called if the caller is confirmed, which notes the use of the credential
   */
  const exchange = async (
    req: IncomingMessage,
    { actor, caller, scopes, onUse }: Admitted,
    { json, size }: Body,
    { confirmed, ...counting }: Attempt,
  ): Promise<{ reply: Reply; used?: () => void }> => {
    const request = requestFrom(json)
    if (!request) return { reply: ACCEPTED }
    let failure: Problem | undefined
    const { name } = request.params
    const reference = options.referenceOf(req)
    const ctx: Context = {
      ...options.contextFor(actor),
      path: caller.path,
      request: { method: 'POST', path: `${server.path} ${String(name)}`, reference },
      ...counting,
    }
    const version = headerOf(req, 'mcp-protocol-version')
    const callTool = () =>
      call(
        { name, arguments: request.params.arguments, size },
        {
          ctx,
          agent: () =>
            agentName(
              request,
              isStateless(request, version) ? undefined : connectedAgent(ctx, actor, caller.credentialId),
              headerOf(req, 'user-agent'),
            ),
          credentialId: caller.credentialId,
          reference,
          onFailure: problem => {
            failure = problem
          },
        },
      )
    // Reads may start before the caller is confirmed; writes wait here. If the confirmed caller differs from the
    // remembered one, this attempt fails, and `readEarly` handles the message again.
    const callConfirmed = async () => {
      if ((await confirmed) !== actor) throw new Problem('unauthorized')
      return callTool()
    }
    try {
      const reply = await measured(request.method, ctx.core.onCall, () =>
        replyTo(req, request, scopes, isRead(name) ? callTool : callConfirmed),
      )
      const used = () =>
        onUse({
          name: nameInRequest(request) ?? null,
          problem: failure && ACCESS_ERRORS.has(failure.problem) ? failure.problem : null,
          isConnecting: CONNECTING.has(request.method),
        })
      return { reply: { ...reply, headers: failure && retryHeaders(failure) }, used }
    } catch (error) {
      if (error instanceof RpcError) return { reply: failed(request.id, error) }
      throw error
    }
  }

  const limitOf = ({ operation: { meta } }: Tool) => meta.bodyLimit ?? limits.body
  return {
    prepared,
    exchange,
    replyTo,
    refuse,
    // Higher than the limit of every tool, so that slightly oversized arguments are reported in a tool result, like
    // other errors.
    bodyLimit: Math.max(...[...prepared.tools.values()].map(limitOf)) + 2 * ENVELOPE,
  }
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  (headers[name] as string | undefined)?.trim()

/** Returns the name of the agent that last connected with a credential, to this process or to another one. */
const connectedAgent = ({ core }: Context, actor: Actor, credentialId: string): string | undefined =>
  core.lastUsed.recentAgent(credentialId) ??
  (actor.kind === 'session' ? undefined : (actor.agentName ?? undefined))

/**
 * Methods that metrics and traces report by name. Every other method is reported as `other`, because clients can send
 * any name.
 */
const METHODS = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
])

/**
 * Handles a message. Reports the message to metrics and traces, if they are enabled.
 *
 * A tool call is reported here only if it fails with an RpcError, for example because the tool is unknown. Most tool
 * calls run a procedure, and the procedure does the reporting.
 */
const measured = (
  method: string,
  onCall: ((call: OperationCall) => void) | undefined,
  handle: () => Reply | Promise<Reply>,
): Reply | Promise<Reply> => (onCall ? reported(method, onCall, handle) : handle())

const reported = async (
  method: string,
  onCall: (call: OperationCall) => void,
  handle: () => Reply | Promise<Reply>,
): Promise<Reply> => {
  const start = performance.now()
  const report = (code: OperationCall['code']) =>
    onCall({
      operation: `mcp.${METHODS.has(method) ? method : 'other'}`,
      code,
      seconds: (performance.now() - start) / 1000,
    })
  try {
    const reply = await handle()
    if (method !== 'tools/call') report('ok')
    return reply
  } catch (error) {
    if (error instanceof RpcError) report('rpc_error')
    throw error
  }
}
