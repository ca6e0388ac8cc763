import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server'
import { type Actor, callerOf } from '../../routers/core/actor.ts'
import type { Context, RateState } from '../../routers/core/context.ts'
import { includesTag } from '../../routers/core/precondition.ts'
import { invalid, Problem, problemOf } from '../../routers/core/problem.ts'
import { limits } from '../../routers/core/rules.ts'
import type { ReadJson } from '../http/body.ts'
import { drain } from '../http/drain.ts'
import { sendProblem } from '../http/send-problem.ts'
import { inputFrom } from '../operations/input.ts'
import { type Method, type Operation, operationsOf } from '../operations/list.ts'
import { conditionsOf } from './conditions.ts'
import { matcher } from './match.ts'
import { sendNotModified, sendResult } from './send.ts'

/** Dependencies of the REST API. */
export interface RestOptions {
  router: AnyTRPCRouter
  docsUrl: string
  readJson: ReadJson
  /** Returns the holder of the credential in an `Authorization` header, or null. */
  authenticate: (operation: Operation, authorization: string | undefined) => Promise<Actor | null>
  /** Creates the context of one call. */
  contextFor: (actor: Actor | null) => Context
  /** Called with internal errors and the reference that the caller sees. */
  onFault: (error: unknown, reference: string) => void
  /** Returns the id of a request in the log. */
  referenceOf: (req: IncomingMessage) => string
}

/**
 * Maps the documented paths onto procedures. Checks run in the order of the contract: path, method,
 * credential, then the middleware of the procedure. The body is read when the procedure asks for its input.
 */
export const restHandler = (options: RestOptions) => {
  const { router, docsUrl } = options
  const match = matcher(operationsOf(router))

  const call = async (req: IncomingMessage, res: ServerResponse, onRate: (state: RateState) => void) => {
    const { operation, path } = route(match, req)
    const actor = await options.authenticate(operation, req.headers.authorization)
    const precondition = conditionsOf(operation, req.headers)
    let tag: string | undefined
    const onTag = (given: string) => {
      tag = given
    }
    const ctx: Context = {
      ...options.contextFor(actor),
      path,
      onRate,
      onTag,
      ...(precondition ? { precondition } : {}),
    }
    const data: unknown = await callTRPCProcedure({
      router,
      path: operation.name,
      type: operation.type,
      ctx,
      getRawInput: once(() =>
        readInput(operation, path, limit =>
          options.readJson(req, res, { limit, caller: actor ? callerOf(actor) : '' }),
        ),
      ),
      signal: undefined,
      batchIndex: 0,
    })
    const isKnown =
      tag !== undefined && precondition?.ifNoneMatch && includesTag(precondition.ifNoneMatch, tag)
    return { status: isKnown ? 304 : (operation.meta.status ?? 200), data, tag }
  }

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    let rate: RateState | undefined
    try {
      const { status, data, tag } = await call(req, res, state => {
        rate = state
      })
      if (status === 304) sendNotModified(res, rate, tag)
      else await sendResult(res, status, data, rate, tag)
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

/** Finds the operation of a request. HEAD works wherever GET does. */
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

/** Returns the input of an operation: path parameters and fields of the body. */
const readInput = async (
  operation: Operation,
  path: Record<string, string>,
  read: (limit: number) => Promise<{ json: unknown }>,
): Promise<unknown> => {
  if (!operation.takesBody) return path
  const { json: body } = await read(operation.meta.bodyLimit ?? limits.body)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('$', 'must be a JSON object')
  return inputFrom(operation, body, path)
}

/** Wraps a function so that all calls share one run. */
const once = <T>(work: () => Promise<T>) => {
  let result: Promise<T> | undefined
  return () => {
    result ??= work()
    return result
  }
}
