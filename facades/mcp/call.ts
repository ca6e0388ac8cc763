import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server'
import { countCall } from '../../routers/access/credential.ts'
import type { Context } from '../../routers/core/context.ts'
import { invalid, problemBody, problemOf } from '../../routers/core/problem.ts'
import { limits } from '../../routers/core/rules.ts'
import { tooLarge } from '../http/body.ts'
import { inputFrom } from '../operations/input.ts'
import type { Operation } from '../operations/list.ts'
import { advice } from './advice.ts'
import { codes, isObject, RpcError } from './rpc.ts'
import type { Tool } from './tools.ts'

/** Bytes that a message may have beside what REST would have as its body. */
export const ENVELOPE = 65_536

/** What calls need of the process. */
export interface CallOptions {
  router: AnyTRPCRouter
  docsUrl: string
  /** Hears of faults of our own; the reference is what the caller is told. */
  onFault: (error: unknown, reference: string) => void
}

/** The parameters of a `tools/call`, and the bytes of the message that they came in. */
export interface Sent {
  name: unknown
  arguments: unknown
  size: number
}

/** A caller with a valid credential, and the id that its calls are counted by. */
export type CallerContext = Context & { reference: string; credentialId: string }

/**
 * Calls tools. A call is the procedure that REST calls, with the same actor, steps and failures; `ctx.path` has
 * the input that the credential settles. Every call counts as one, of a tool that does not exist too.
 *
 * @returns a function that throws RpcError −32602 when there is no such tool; every other failure is a result
 *   (decision 41)
 */
export const toolCaller = (tools: ReadonlyMap<string, Tool>, { router, docsUrl, onFault }: CallOptions) => {
  const failure = (error: unknown, { reference }: CallerContext): CallToolResult => {
    const problem = problemOf(error)
    if (problem.problem === 'internal_error') onFault(problem.cause ?? problem, reference)
    const next = advice[problem.problem]
    const body = JSON.stringify(problemBody(problem, docsUrl, reference))
    return { isError: true, content: [body, ...(next === undefined ? [] : [next])].map(asText) }
  }

  return async (sent: Sent, ctx: CallerContext): Promise<CallToolResult> => {
    const tool = typeof sent.name === 'string' ? tools.get(sent.name) : undefined
    try {
      if (!tool) {
        await countCall(ctx, ctx.credentialId)
        throw noSuchTool(sent.name, tools)
      }
      const { operation } = tool
      const data: unknown = await callTRPCProcedure({
        router,
        path: operation.name,
        type: operation.type,
        ctx,
        getRawInput: async () => inputOf(operation, sent, ctx.path ?? {}),
        signal: undefined,
        batchIndex: 0,
      })
      return success(operation.meta.status === 204 ? { deleted: true } : (data as Record<string, unknown>))
    } catch (error) {
      if (error instanceof RpcError) throw error
      return failure(error, ctx)
    }
  }
}

const asText = (text: string) => ({ type: 'text' as const, text })

const success = (data: Record<string, unknown>): CallToolResult => ({
  content: [asText(JSON.stringify(data))],
  structuredContent: data,
})

const noSuchTool = (name: unknown, tools: ReadonlyMap<string, Tool>) =>
  new RpcError(
    codes.invalidParams,
    typeof name === 'string'
      ? `There is no tool ${JSON.stringify(name.slice(0, 100))}. There are: ${[...tools.keys()].join(', ')}`
      : 'params.name must be a string',
    { status: 200 },
  )

/** The input that the arguments make, judged in the order in which REST judges a body (decision 1). */
const inputOf = (operation: Operation, sent: Sent, settled: Record<string, string>): object => {
  const limit = operation.meta.bodyLimit ?? limits.body
  if (sent.size > limit + ENVELOPE) throw tooLarge(limit)
  // Some clients say null where there are no arguments.
  const given = sent.arguments ?? {}
  if (!isObject(given)) throw invalid('$', 'must be a JSON object')
  return inputFrom(operation, given, settled)
}
