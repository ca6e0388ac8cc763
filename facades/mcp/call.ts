import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { isConnected } from '../../routers/api/actor.ts'
import type { Context } from '../../routers/api/context.ts'
import { countCall } from '../../routers/api/credential.ts'
import type { Precondition } from '../../routers/api/precondition.ts'
import { invalid, type Problem, problemBody, problemOf } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import { reviewWrite } from '../../routers/content/reviews/review-saved.ts'
import { tooLarge } from '../http/receive-body.ts'
import { inputFrom } from '../operations/input.ts'
import type { Callable } from '../operations/list.ts'
import { adviceFor, savedAdvice } from './advice.ts'
import { type JsonPieces, serializeTwice } from './result-json.ts'
import { codes, isObject, RpcError } from './rpc.ts'
import { inSentLines } from './sent-lines.ts'
import { type Tool, takeBaseVersion } from './tools.ts'

/** A message to a tool may be this many bytes larger than the largest REST body that the tool's operation accepts. */
export const ENVELOPE = 65_536

/** Dependencies of tool calls. */
export interface CallOptions {
  docsUrl: string
  /** Called with internal errors and the reference that the caller sees. */
  onFault: (error: unknown, reference: string) => void
}

/** The parameters of a `tools/call`, and the size of the message in bytes. */
export interface Sent {
  name: unknown
  arguments: unknown
  size: number
}

/** An authenticated caller. */
export interface ToolCaller {
  ctx: Context
  reference: string
  /** Returns the name of the caller's program. */
  agent: () => string | undefined
  /** The id by which the caller's calls are counted. */
  credentialId: string
  /** Called with the problem that the result reports. */
  onFailure: (problem: Problem) => void
}

/** Functions that return the members of a `CallToolResult` as JSON, without the braces around them. */
export interface ToolCalls {
  /** Calls a tool. Throws RpcError −32602 for an unknown tool; every other error becomes a result. */
  call: (sent: Sent, caller: ToolCaller) => Promise<JsonPieces>
  /**
   * Returns the result of a call whose caller could not be identified, and reports the call to metrics and traces.
   *
   * @param call the name of the tool, and when the call began
   */
  refuse: (
    call: { name: unknown; start: number },
    error: unknown,
    caller: Pick<ToolCaller, 'ctx' | 'reference'>,
  ) => JsonPieces
}

/**
 * Creates the functions that call tools. A call runs the same procedure as REST, with the same actor, middleware and
 * errors. `ctx.path` holds the input fields that the credential determines. Calls of unknown tools also count toward
 * the rate limit.
 */
export const toolCaller = (
  tools: ReadonlyMap<string, Tool>,
  { docsUrl, onFault }: CallOptions,
): ToolCalls => {
  const toolNamed = (name: unknown) => (typeof name === 'string' ? tools.get(name) : undefined)

  const failure = (
    problem: Problem,
    tool: Tool | undefined,
    { ctx: { actor }, reference }: Pick<ToolCaller, 'ctx' | 'reference'>,
  ): JsonPieces => {
    if (problem.problem === 'internal_error') onFault(problem.cause ?? problem, reference)
    // `tool` is undefined if no tool has the name in the call. Such a call normally throws an `RpcError`. The call gets
    // here only with the problem `rate_limited` or `unavailable`, whose advice is the same for queries and mutations.
    const next = adviceFor(tool?.operation ?? { type: 'query' }, problem.problem, isConnected(actor))
    const body = JSON.stringify(problemBody(problem, docsUrl, reference))
    const content = [body, ...(next === undefined ? [] : [next])].map(asText)
    return [membersOf({ isError: true, content } satisfies CallToolResult)]
  }

  /**
   * Returns advice on what a call wrote; undefined if the database is too busy to check it.
   *
   * @param revision the revision of its write; undefined if it wrote no content
   */
  const review = async (
    revision: string | undefined,
    { ctx, reference }: ToolCaller,
    verb: 'Saved' | 'Deleted',
    call: { args: unknown; data: unknown },
  ): Promise<string | undefined> => {
    if (revision === undefined || ctx.actor?.kind !== 'space_key') return undefined
    try {
      const { saved, isUnchanged, ...found } = await reviewWrite(ctx.core, ctx.actor, revision)
      if (isUnchanged) return 'Nothing was changed: everything was like this already.'
      const isOnePage = saved.length === 1 && saved[0]!.kind === 'page'
      return savedAdvice(inSentLines(found, call.args, call.data), isOnePage, verb)
    } catch (error) {
      if (problemOf(error).problem === 'internal_error') onFault(error, reference)
      return undefined
    }
  }

  const call: ToolCalls['call'] = async (sent, caller) => {
    const { ctx } = caller
    const tool = toolNamed(sent.name)
    let written: string | undefined
    try {
      if (!tool) {
        await countCall(ctx, caller.credentialId)
        throw unknownTool(sent.name, tools)
      }
      const { operation } = tool
      const { args, precondition } = versionIn(tool, sent.arguments)
      const data = await operation.invoke(
        operation.type === 'mutation'
          ? {
              ...ctx,
              agent: caller.agent(),
              onWritten: (revision: string) => {
                written = revision
              },
              ...(precondition && { precondition }),
            }
          : ctx,
        () => inputOf(operation, { ...sent, arguments: args() }, ctx.path ?? {}),
      )
      const isDeletion = operation.meta.status === 204
      const further = await review(written, caller, isDeletion ? 'Deleted' : 'Saved', {
        args: sent.arguments,
        data,
      })
      return success(isDeletion ? { deleted: true } : data, further)
    } catch (error) {
      if (error instanceof RpcError) throw error
      const problem = problemOf(error)
      caller.onFailure(problem)
      return failure(problem, tool, caller)
    }
  }

  const refuse: ToolCalls['refuse'] = ({ name, start }, error, caller) => {
    const problem = problemOf(error)
    const tool = toolNamed(name)
    caller.ctx.core.onCall?.({
      operation: tool?.operation.name ?? 'mcp.tools/call',
      code: problem.problem,
      seconds: (performance.now() - start) / 1000,
    })
    return failure(problem, tool, caller)
  }

  return { call, refuse }
}

const asText = (text: string) => ({ type: 'text' as const, text })

/** Returns the members of an object as JSON. */
const membersOf = (value: object): string => JSON.stringify(value).slice(1, -1)

/** The result is sent twice, as text and as JSON. */
const success = (data: unknown, advice: string | undefined): JsonPieces => {
  const further = advice === undefined ? '' : `,${JSON.stringify(asText(advice))}`
  return serializeTwice(data, [
    '"content":[{"type":"text","text":"',
    `"}${further}],"structuredContent":`,
    '',
  ])
}

const unknownTool = (name: unknown, tools: ReadonlyMap<string, Tool>) =>
  new RpcError(
    codes.invalidParams,
    typeof name === 'string'
      ? `Unknown tool ${JSON.stringify(name.slice(0, 100))}. Available tools: ${[...tools.keys()].join(', ')}`
      : 'params.name must be a string',
    { status: 200 },
  )

/**
 * Separates the version that the caller has read from the arguments. An error in it is thrown by `args`, because the
 * caller's access is checked before the arguments.
 */
const versionIn = (
  { base }: Tool,
  given: unknown,
): { args: () => unknown; precondition?: Precondition | undefined } => {
  if (!base || !isObject(given)) return { args: () => given }
  try {
    const { args, precondition } = takeBaseVersion(base, given)
    return { args: () => args, precondition }
  } catch (error) {
    return {
      args: () => {
        throw error
      },
    }
  }
}

/** Builds the input from the arguments. Checks the arguments as REST checks a body, and in the same order. */
const inputOf = async (operation: Callable, sent: Sent, fixed: Record<string, string>): Promise<object> => {
  const limit = operation.meta.bodyLimit ?? limits.body
  if (sent.size > limit + ENVELOPE) throw tooLarge(limit)
  // Some clients send null when there are no arguments.
  const given = sent.arguments ?? {}
  if (!isObject(given)) throw invalid('$', 'must be a JSON object')
  return inputFrom(operation, given, fixed)
}
