import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyTRPCRouter } from '@trpc/server'
import type { Actor } from '../../routers/api/actor.ts'
import type { Context } from '../../routers/api/context.ts'
import type { Identity } from '../../routers/api/identities.ts'
import { includesTag } from '../../routers/api/precondition.ts'
import { invalid, Problem, problemOf } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import { KeptAnswer, type RepeatableCall, type SafeRetries } from '../../routers/api/safe-retries.ts'
import type { ReadJson } from '../http/body.ts'
import { drain } from '../http/drain.ts'
import { type ErrorOptions, sendError } from '../http/send-error.ts'
import { sendPrivate } from '../http/send-private.ts'
import { inputFrom } from '../operations/input.ts'
import {
  locator,
  type Method,
  type Operation,
  operationsOf,
  pathOf,
  tagOfResult,
} from '../operations/list.ts'
import { type CallState, type Run, readEarly } from '../operations/read-early.ts'
import { conditionsOf } from './conditions.ts'
import { beginDigest, keyFrom, refusalOf, sendKept } from './idempotency.ts'
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
  retries: SafeRetries
}

/** What a call reports while it runs. */
interface RestState extends CallState {
  /** Set for a call with an `Idempotency-Key`. */
  keyed?: RepeatableCall
}

/**
 * Maps the documented paths onto procedures. Checks take effect in the order of the contract: path, method,
 * credential, then the middleware of the procedure. The body is read when the procedure asks for its input.
 */
export const restHandler = (options: RestOptions) => {
  const operations = operationsOf(options.router)
  const match = matcher(operations)
  const locationOf = locator(operations)
  const basePath = new URL(options.baseUrl).pathname

  const call = async (req: IncomingMessage, res: ServerResponse, state: RestState) => {
    const target = route(match, req)
    const { operation, path } = target
    const identity = options.identify(operation, req.headers.authorization)
    const precondition = conditionsOf(operation, req.headers)
    const sentKey = operation.method === 'POST' ? req.headers['idempotency-key']?.toString() : undefined
    let templateError: string | undefined
    let next: Record<string, string> | undefined
    const headersOf = (data: unknown): Record<string, string> => {
      const tag = tagOfResult(operation, data)
      const location = locationOf(operation, path, data)
      return {
        ...(tag === undefined ? {} : { ETag: `"${tag}"` }),
        ...(location === undefined ? {} : { Location: options.baseUrl + location }),
        ...(templateError === undefined ? {} : { 'X-Template-Error': templateError }),
        ...(next === undefined ? {} : { Link: `<${nextAddress(target, next)}>; rel="next"` }),
      }
    }
    const status = operation.meta.status ?? 200
    const answerOf = (output: unknown): KeptAnswer => {
      const data = operation.output.parse(output)
      return new KeptAnswer({ status, headers: headersOf(data), body: JSON.stringify(data) })
    }
    const run: Run<unknown> = (actor, counting) => {
      const caller = actor?.accountId ?? ''
      if (actor && sentKey !== undefined) state.keyed = options.retries.call(actor, answerOf)
      const { keyed } = state
      const ctx: Context = {
        ...options.contextFor(actor),
        path,
        request: {
          method: operation.method,
          path: basePath + (req.url ?? ''),
          reference: options.referenceOf(req),
        },
        onRate: rate => {
          state.rate = rate
        },
        ...(precondition ? { precondition } : {}),
        ...(keyed ? { keyed } : {}),
        onTemplateError: kind => {
          templateError = kind
        },
        onNext: parameters => {
          next = parameters
        },
        ...counting,
      }
      const read = async (limit: number) => {
        if (!keyed) return (await options.readJson(req, res, { limit, caller })).json
        const digest = beginDigest(operation, path, req.headers)
        const { json } = await options.readJson(req, res, {
          limit,
          caller,
          onBytes: part => digest.update(part),
        })
        return (await keyed.begin(keyFrom(sentKey!), digest.digest())) ?? json
      }
      return operation.invoke(
        ctx,
        once(() => readInput(target, read)),
      )
    }
    const data = await (operation.type === 'query'
      ? readEarly(identity, run, state)
      : run(await identity.confirmed))
    if (data instanceof KeptAnswer) return data
    const headers = headersOf(data)
    const isKnown =
      operation.method === 'GET' &&
      headers.ETag !== undefined &&
      precondition?.ifNoneMatch &&
      includesTag(precondition.ifNoneMatch, headers.ETag.slice(1, -1))
    return { status: isKnown ? 304 : status, data, headers }
  }

  /** The address of the rest of a list. */
  const nextAddress = ({ operation, path }: Target, parameters: Record<string, string>): string =>
    `${options.baseUrl}${pathOf(operation, path)}?${new URLSearchParams(parameters).toString()}`

  /** Answers a request. @throws the error to send instead */
  const answer = async (req: IncomingMessage, res: ServerResponse, state: RestState): Promise<void> => {
    try {
      const result = await call(req, res, state)
      if (result instanceof KeptAnswer) return sendKept(res, result, state.rate)
      const { status, data, headers } = result
      if (status === 304) sendPrivate(res, { status, rate: state.rate, headers, body: null }, false)
      else await sendResult(res, status, data, state.rate, headers)
    } catch (error) {
      const { keyed } = state
      const kept =
        keyed && (await keyed.keepFailure(error, () => refusalOf(problemOf(error), options.docsUrl)))
      if (!kept) throw error
      sendKept(res, kept, state.rate)
    }
  }

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const state: RestState = { rate: undefined }
    try {
      await answer(req, res, state)
    } catch (error) {
      sendError(req, res, error, state.rate, options)
    } finally {
      state.keyed?.end()
    }
    drain(req)
  }
}

/** The operation of a request, with its parameters. */
interface Target {
  operation: Operation
  path: Record<string, string>
  query: Record<string, string>
}

/** Finds the operation of a request. HEAD works wherever GET does. */
const route = (match: ReturnType<typeof matcher>, req: IncomingMessage): Target => {
  const url = req.url ?? '/'
  const query = url.indexOf('?')
  const requested = query === -1 ? url : url.slice(0, query)
  const found = match(requested)
  if (!found) throw new Problem('not_found', slashDetail(match, requested))
  const method = req.method === 'HEAD' ? 'GET' : req.method
  const operation = found.operations.get(method as Method)
  if (!operation) throw new Problem('method_not_allowed', { allow: [...found.operations.keys()].sort() })
  const sent = new URLSearchParams(query === -1 ? '' : url.slice(query))
  const known = operation.queryParameters.filter(name => sent.has(name))
  return {
    operation,
    path: found.path,
    query: Object.fromEntries(known.map(name => [name, sent.get(name)!])),
  }
}

/** Tells a caller whose path would be known without the slash at its end. */
const slashDetail = (match: ReturnType<typeof matcher>, path: string) =>
  path.endsWith('/') && match(path.slice(0, -1))
    ? { detail: 'Send the path without the slash at its end.' }
    : {}

/**
 * Returns the input of an operation: parameters and fields of the body; or, if `read` finds that the call was answered
 * before, the kept answer.
 */
const readInput = async (
  { operation, path, query }: Target,
  read: (limit: number) => Promise<unknown>,
): Promise<unknown> => {
  if (!operation.takesBody) return { ...path, ...query }
  const body = await read(operation.meta.bodyLimit ?? limits.body)
  if (body instanceof KeptAnswer) return body
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
