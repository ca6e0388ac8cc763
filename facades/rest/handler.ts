import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyTRPCRouter } from '@trpc/server'
import type { Actor } from '../../routers/api/actor.ts'
import type { Context } from '../../routers/api/context.ts'
import type { Identity } from '../../routers/api/identities.ts'
import { includesTag } from '../../routers/api/precondition.ts'
import { invalid, Problem } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import type { ReadJson } from '../http/body.ts'
import { drain } from '../http/drain.ts'
import { type ErrorOptions, sendError } from '../http/send-error.ts'
import { sendPrivate } from '../http/send-private.ts'
import { inputFrom } from '../operations/input.ts'
import { locator, type Method, type Operation, operationsOf, tagOfResult } from '../operations/list.ts'
import { type CallState, type Run, readEarly } from '../operations/read-early.ts'
import { conditionsOf } from './conditions.ts'
import { matcher } from './match.ts'
import { sendResult } from './send.ts'

/** Dependencies of the REST API. */
export interface RestOptions extends ErrorOptions {
  router: AnyTRPCRouter
  /** The address below which the operations have their paths. */
  baseUrl: string
  readJson: ReadJson
  /** Identifies the holder of the credential in an `Authorization` header. */
  identify: (operation: Operation, authorization: string | undefined) => Identity
  /** Creates the context of one call. */
  contextFor: (actor: Actor | null) => Context
}

/**
 * Maps the documented paths onto procedures. Checks take effect in the order of the contract: path, method,
 * credential, then the middleware of the procedure. The body is read when the procedure asks for its input.
 */
export const restHandler = (options: RestOptions) => {
  const operations = operationsOf(options.router)
  const match = matcher(operations)
  const locationOf = locator(operations)

  const call = async (req: IncomingMessage, res: ServerResponse, state: CallState) => {
    const { operation, path } = route(match, req)
    const identity = options.identify(operation, req.headers.authorization)
    const precondition = conditionsOf(operation, req.headers)
    let templateError: string | undefined
    const run: Run<unknown> = (actor, counting) => {
      const caller = actor?.accountId ?? ''
      const ctx: Context = {
        ...options.contextFor(actor),
        path,
        onRate: rate => {
          state.rate = rate
        },
        ...(precondition ? { precondition } : {}),
        onTemplateError: kind => {
          templateError = kind
        },
        ...counting,
      }
      return operation.invoke(
        ctx,
        once(() => readInput(operation, path, limit => options.readJson(req, res, { limit, caller }))),
      )
    }
    const data = await (operation.type === 'query'
      ? readEarly(identity, run, state)
      : run(await identity.confirmed))
    const tag = tagOfResult(operation, data)
    const location = locationOf(operation, path, data)
    const headers = {
      ...(tag === undefined ? {} : { ETag: `"${tag}"` }),
      ...(location === undefined ? {} : { Location: options.baseUrl + location }),
      ...(templateError === undefined ? {} : { 'X-Template-Error': templateError }),
    }
    const isKnown =
      operation.method === 'GET' &&
      tag !== undefined &&
      precondition?.ifNoneMatch &&
      includesTag(precondition.ifNoneMatch, tag)
    return { status: isKnown ? 304 : (operation.meta.status ?? 200), data, headers }
  }

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const state: CallState = { rate: undefined }
    try {
      const { status, data, headers } = await call(req, res, state)
      if (status === 304) sendPrivate(res, { status, rate: state.rate, headers, body: null }, false)
      else await sendResult(res, status, data, state.rate, headers)
    } catch (error) {
      sendError(req, res, error, state.rate, options)
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

/** Wraps a function so that it runs only once; every call returns the same promise. */
const once = <T>(work: () => Promise<T>) => {
  let result: Promise<T> | undefined
  return () => {
    result ??= work()
    return result
  }
}
