import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { MIMEType } from 'node:util'
import { FairQueue } from '../../routers/core/fair-queue.ts'
import { invalid, Problem, unavailable } from '../../routers/core/problem.ts'
import { limits } from '../../routers/core/rules.ts'
import type { BodyBudget, HeldBody } from './body-budget.ts'
import { measureJson } from './json-nesting.ts'

/** A request body. */
export interface Body {
  json: unknown
  /** In bytes. */
  size: number
}

/** What a body is read for. */
export interface BodyRequest {
  /** Maximum size in bytes. */
  limit: number
  /** The caller whom the memory counts for: the credential, or the network address of a caller without a credential. */
  caller: string
}

/**
 * Reads a JSON body. The headers are checked before any of it is read.
 *
 * @throws `unsupported_media_type`, `payload_too_large`, `invalid_json` or `validation_failed`, checked in this order,
 *   or `unavailable` when the process holds too many bodies
 */
export type ReadJson = (req: IncomingMessage, res: ServerResponse, request: BodyRequest) => Promise<Body>

/**
 * Size in bytes above which bodies queue to be parsed, because parsing takes several times the size of a body in
 * memory.
 */
const LARGE = 262_144

/** Limits on the large bodies that are processed at once and that wait, in total and per caller. Callers take turns. */
const LARGE_QUEUE = { running: 2, runningPerAccount: 1, waiting: 150, waitingPerAccount: 100 }

/** Minimum bytes that must arrive per window, whose length is in ms. A slower connection counts as stalled. */
const PROGRESS = { bytes: 10_240, window: 10_000 }

/** Maximum nesting that is parsed. The limits of operations on nesting are far lower and are checked after parsing. */
const MAX_DEPTH = 1_000

/** Maximum number of values in a body above the usual size limit. Such a body is mostly one long string: a file. */
const MAX_VALUES = 1_000

/** @param budget bounds the bytes of bodies that the process holds at once */
export const bodyReader = (budget: BodyBudget): ReadJson => {
  const large = new FairQueue(LARGE_QUEUE)

  return async (req, res, { limit, caller }) => {
    const length = Number(req.headers['content-length'] ?? 0)
    const hasBody = length > 0 || req.headers['transfer-encoding'] !== undefined
    const type = req.headers['content-type']
    if (type === undefined && !hasBody) throw new Problem('invalid_json', { detail: 'The body is empty.' })
    if (type === undefined || !isJson(type) || isCompressed(req)) throw new Problem('unsupported_media_type')
    if (length > limit) throw tooLarge(limit)
    if (/^100-continue$/i.test(req.headers.expect ?? '')) res.writeContinue()
    const bytes = await collect(req, res, limit, cut => budget.hold(caller, cut))
    if (bytes.length > LARGE) {
      const release = await large.take(caller, 1)
      if (res.closed) release()
      else res.once('close', release)
    }
    return { json: parse(bytes), size: bytes.length }
  }
}

/** @param limit maximum size in bytes */
export const tooLarge = (limit: number) =>
  new Problem('payload_too_large', { detail: `At most ${limit} bytes are accepted here.` })

const isJson = (contentType: string): boolean => {
  try {
    const { essence, params } = new MIMEType(contentType)
    return essence === 'application/json' && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8')
  } catch {
    return false
  }
}

const isCompressed = ({ headers }: IncomingMessage) =>
  !['identity', undefined].includes(headers['content-encoding']?.toLowerCase())

/**
 * Collects a body. Stops reading when the body exceeds the limit, even if its length was not declared, or stops
 * arriving.
 */
const collect = (
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
  hold: (cut: () => void) => HeldBody,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let sizeBefore = 0
    const held = hold(() => settle(() => reject(unavailable('Too many bodies are being received.'))))
    // Parsing and the operation need the bytes, so they count until the response is sent.
    res.once('close', () => held.release())
    const timer = setInterval(() => {
      if (size - sizeBefore >= PROGRESS.bytes) {
        sizeBefore = size
        return
      }
      res.shouldKeepAlive = false
      settle(() => reject(new Problem('invalid_json', { detail: 'The body stopped arriving.' })))
    }, PROGRESS.window)
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) return settle(() => reject(tooLarge(limit)))
      chunks.push(chunk)
      held.add(chunk.length)
    }
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks, size)))
    const onClose = () =>
      settle(() => reject(new Error('The connection closed before the body was complete')))
    const settle = (act: () => void) => {
      clearInterval(timer)
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
      act()
    }
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })

const parse = (bytes: Buffer): unknown => {
  if (bytes.length === 0) throw new Problem('invalid_json', { detail: 'The body is empty.' })
  if (!isUtf8(bytes)) throw new Problem('invalid_json', { detail: 'The body is not UTF-8.' })
  const { depth, deepest, values, isBalanced } = measureJson(bytes)
  if (!isBalanced) throw notJson()
  if (depth > MAX_DEPTH) throw invalid(deepest ?? '$', `is nested deeper than ${MAX_DEPTH} levels`)
  if (bytes.length > limits.body && values > MAX_VALUES)
    throw invalid('$', `has more than ${MAX_VALUES} values, which a body of this size cannot have`)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw notJson(error)
  }
}

const notJson = (cause?: unknown) =>
  new Problem('invalid_json', { detail: 'The body cannot be parsed as JSON.', cause })
