import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server'
import type { Actor } from '../../routers/core/actor.ts'
import type { Context, RateState } from '../../routers/core/context.ts'
import { invalid, Problem, problemOf } from '../../routers/core/problem.ts'
import { limits } from '../../routers/core/rules.ts'
import { readJson } from '../http/body.ts'
import { drain } from '../http/drain.ts'
import { inputFrom } from '../operations/input.ts'
import { type Method, type Operation, operationsOf } from '../operations/list.ts'
import { matcher } from './match.ts'
import { sendProblem, sendResult } from './send.ts'

/** What the REST door needs of the process. */
export interface RestOptions {
  router: AnyTRPCRouter
  docsUrl: string
  /** Who holds the credential of an `Authorization` header. */
  authenticate: (operation: Operation, authorization: string | undefined) => Promise<Actor | null>
  /** The context of one call. */
  contextFor: (actor: Actor | null) => Context
  /** Hears of faults of our own; the reference is what the caller is told. */
  onFault: (error: unknown, reference: string) => void
  /** The number under which a request stands in the log. */
  referenceOf: (req: IncomingMessage) => string
}

/**
 * The REST door: maps the documented paths onto procedures. The order of its checks is the contract's
 * (decision 1): path, method, credential, and then whatever the procedure's own steps refuse; the body is
 * read only when the procedure asks for its input.
 */
export const rest = (options: RestOptions) => {
  const { router, docsUrl } = options
  const match = matcher(operationsOf(router))

  const call = async (req: IncomingMessage, res: ServerResponse, onRate: (state: RateState) => void) => {
    const { operation, path } = route(match, req)
    const actor = await options.authenticate(operation, req.headers.authorization)
    const ctx: Context = { ...options.contextFor(actor), path, onRate }
    const data: unknown = await callTRPCProcedure({
      router,
      path: operation.name,
      type: operation.type,
      ctx,
      getRawInput: once(() => readInput(operation, path, req, res)),
      signal: undefined,
      batchIndex: 0,
    })
    return { status: operation.meta.status ?? 200, data }
  }

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    let rate: RateState | undefined
    try {
      const { status, data } = await call(req, res, state => {
        rate = state
      })
      sendResult(res, status, data, rate)
    } catch (error) {
      if (req.destroyed && !req.complete) return
      const problem = problemOf(error)
      const reference = options.referenceOf(req)
      if (problem.problem === 'internal_error') options.onFault(problem.cause ?? problem, reference)
      sendProblem(res, problem, { docsUrl, reference, rate })
    }
    drain(req)
  }
}

/** Finds the operation of a request. HEAD is answered wherever GET is (decision 2). */
const route = (match: ReturnType<typeof matcher>, req: IncomingMessage) => {
  const url = req.url ?? '/'
  const query = url.indexOf('?')
  const found = match(query === -1 ? url : url.slice(0, query))
  if (!found) throw new Problem('not_found')
  const method = req.method === 'HEAD' ? 'GET' : req.method
  const operation = found.operations.get(method as Method)
  if (!operation) throw new Problem('method_not_allowed', { allow: [...found.operations.keys()].sort() })
  return { operation, path: found.path }
}

/** The input of an operation: what the path says, and the fields of the body. */
const readInput = async (
  operation: Operation,
  path: Record<string, string>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<unknown> => {
  if (!operation.takesBody) return path
  const { json: body } = await readJson(req, res, operation.meta.bodyLimit ?? limits.body)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('$', 'must be a JSON object')
  return inputFrom(operation, body, path)
}

/** A function that does its work at most once, whoever asks. */
const once = <T>(work: () => Promise<T>) => {
  let result: Promise<T> | undefined
  return () => {
    result ??= work()
    return result
  }
}
