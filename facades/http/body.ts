import type { IncomingMessage, ServerResponse } from 'node:http'
import { MIMEType } from 'node:util'
import { FairQueue } from '../../routers/api/fair-queue.ts'
import { invalid, Problem } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import type { BodyBudget } from './body-budget.ts'
import { MAX_VALUES, newShape, parseJson } from './parse-json.ts'
import { STALLED } from './progress.ts'
import { LARGE, type Reception, receive, tooLarge } from './receive-body.ts'

/** A request body. */
export interface Body {
  json: unknown
  /** Size in bytes. */
  size: number
}

/** How to read a body: its maximum size, and the caller to whom its memory is charged. */
export interface BodyRequest {
  /** Maximum size in bytes. */
  limit: number
  /** The caller to whom the memory is charged: the account, or the network address of a caller without a credential. */
  caller: string
  /** Called with the parts of a JSON body, as they arrive. */
  onBytes?: ((part: Buffer) => void) | undefined
}

/**
 * Checks the headers, then reads and parses a JSON body. Very long strings become a `LongText`; only the content of a
 * file can be that long.
 *
 * @throws `unsupported_media_type`, `payload_too_large`, `invalid_json` or `validation_failed`, checked in this order;
 * `rate_limited` when too many large bodies of the caller are waiting; `unavailable` when the process holds too many
 * bodies
 */
export type ReadJson = (req: IncomingMessage, res: ServerResponse, request: BodyRequest) => Promise<Body>

/**
 * Limits on large bodies: how many are received at the same time, and how many wait unread.
 *
 * - One caller may send six bodies at the same time, because browsers open six connections.
 * - All callers together may send any number of bodies at the same time. If this number had a limit, a few slow senders
 *   could block all others. Instead, `BodyBudget` limits the total size.
 */
const RECEIVING = {
  running: Number.POSITIVE_INFINITY,
  runningPerAccount: 6,
  waiting: 2_000,
  waitingPerAccount: 200,
}

/**
 * Limits on the large bodies that are processed at the same time. Parsing and storing a body takes several times its
 * size in memory.
 */
const PROCESSING = { running: 2, runningPerAccount: 1, waiting: 150, waitingPerAccount: 100 }

/**
 * Reads the bytes of a body. Rejects the content types of forms, because such a body is a form that contains the file,
 * not the file itself.
 *
 * @throws `unsupported_media_type`; `payload_too_large`; `validation_failed` if the body stops arriving; `rate_limited`
 * and `unavailable` as for {@link ReadJson}
 */
export type ReadBytes = (req: IncomingMessage, res: ServerResponse, request: BodyRequest) => Promise<Buffer>

/** The functions that read request bodies. The limits apply to both functions together. */
export interface BodyReaders {
  readJson: ReadJson
  readBytes: ReadBytes
}

/**
 * Returns the functions that read request bodies.
 *
 * @param budget limits the total size of the bodies that the process holds at once
 */
export const bodyReaders = (budget: BodyBudget): BodyReaders => {
  const receiving = new FairQueue(RECEIVING)
  const processing = new FairQueue(PROCESSING)

  /**
   * Receives a body. Returns the bytes of a body that has already arrived and is not large, otherwise a promise.
   */
  const receiveFrom = (
    req: IncomingMessage,
    res: ServerResponse,
    { limit, caller }: BodyRequest,
    more: Pick<Reception, 'stalled' | 'onBytes'>,
  ): Buffer | Promise<Buffer> => {
    if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
    if (req.headers.expect !== undefined && /^100-continue$/i.test(req.headers.expect)) res.writeContinue()
    return receive(req, res, {
      ...more,
      limit,
      hold: cut => {
        const held = budget.hold(caller, cut)
        // Keep the bytes in the budget until the response is sent: parsing and the operation need the bytes.
        res.once('close', () => held.release())
        return held
      },
      admit: async () => releaseOnClose(res, await receiving.take(caller, 1)),
    })
  }

  /**
   * Waits until a large body may be processed. Returns a function that lets the next body start early; call it if this
   * body turns out to need little memory.
   */
  const turn = async (res: ServerResponse, { caller }: BodyRequest) =>
    releaseOnClose(res, await processing.take(caller, 1))

  const readJson: ReadJson = async (req, res, request) => {
    const hasBody = Number(req.headers['content-length'] ?? 0) > 0 || isChunked(req)
    const type = req.headers['content-type']
    if (type === undefined && !hasBody) throw new Problem('invalid_json', { detail: 'The body is empty.' })
    if (type === undefined || !isJson(type)) throw notJsonType(type)
    if (isCompressed(req))
      throw new Problem('unsupported_media_type', { detail: 'The body is compressed. Send it uncompressed.' })
    const shape = newShape()
    const received = receiveFrom(req, res, request, {
      stalled: () => new Problem('invalid_json', { detail: STALLED }),
      onBytes: (all, from) => {
        shape.read(all, from)
        request.onBytes?.(all.subarray(from))
      },
    })
    // Most bodies are short and have already arrived, so `received` is no promise. An `await` would delay the call.
    const bytes = received instanceof Promise ? await received : received
    const release = bytes.length > LARGE ? await turn(res, request) : undefined
    const parsed = parseJson(bytes, shape)
    const json = parsed instanceof Promise ? await parsed : parsed
    // If parsing took little extra memory, let the next large body start. `BodyBudget` still limits the total size of
    // all bodies.
    if (bytes.length <= limits.body && shape.values <= MAX_VALUES) release?.()
    return { json, size: bytes.length }
  }

  const readBytes: ReadBytes = async (req, res, request) => {
    if (isCompressed(req))
      throw new Problem('unsupported_media_type', { detail: 'The body must not be compressed.' })
    if (FORM_TYPE.test(req.headers['content-type'] ?? ''))
      throw new Problem('unsupported_media_type', {
        detail:
          'The body must be the bytes of the file, not a form that contains it. With curl, use -T FILE.',
      })
    const bytes = await receiveFrom(req, res, request, { stalled: () => invalid('$', STALLED) })
    if (bytes.length > LARGE) await turn(res, request)
    return bytes
  }

  return { readJson, readBytes }
}

const FORM_TYPE = /^(?:multipart\/|application\/x-www-form-urlencoded\b)/i

const releaseOnClose = (res: ServerResponse, release: () => void): (() => void) => {
  if (res.closed) release()
  else res.once('close', release)
  return release
}

const isJson = (contentType: string): boolean => {
  if (contentType === 'application/json') return true
  try {
    const { essence, params } = new MIMEType(contentType)
    return essence === 'application/json' && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8')
  } catch {
    return false
  }
}

/** Longest content type that an error repeats, in characters. */
const SHOWN_TYPE = 80

const notJsonType = (type: string | undefined) => {
  const received =
    type === undefined
      ? 'The request has no `Content-Type`.'
      : `The content type is ${JSON.stringify(type.slice(0, SHOWN_TYPE))}.`
  return new Problem('unsupported_media_type', {
    detail: `${received} Send \`Content-Type: application/json\`, in UTF-8.`,
  })
}

const isChunked = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined

const isCompressed = ({ headers }: IncomingMessage) =>
  !['identity', undefined].includes(headers['content-encoding']?.toLowerCase())
