import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, unavailable } from '../../routers/api/problem.ts'
import { limits, rules } from '../../routers/api/rules.ts'
import type { HeldBody } from './body-budget.ts'
import { PROGRESS } from './progress.ts'

/**
 * Bodies above this size in bytes are large. Only a few large bodies are received from each caller at the same time,
 * and only a few are processed at the same time.
 */
export const LARGE = 262_144

const EMPTY = Buffer.alloc(0)

/** Initial size of the buffer for a body of unknown length, in bytes. */
const SMALL = 16_384

/**
 * Creates the error for a body that is too large.
 *
 * @param limit maximum size in bytes
 */
export const tooLarge = (limit: number) =>
  new Problem('payload_too_large', {
    detail:
      limit < limits.fileBody
        ? `This endpoint accepts at most ${limit} bytes.`
        : `A request can have at most ${limits.fileBody} bytes. A file in a request can have at most ${rules.file.max_bytes} bytes.`,
  })

/** The dependencies of `receive`. */
export interface Reception {
  /** Maximum size in bytes. */
  limit: number
  /** Starts counting the body's memory. `cut` is called when the body must be cut off. */
  hold: (cut: () => void) => HeldBody
  /** Called with the body received so far, and the number of its bytes that earlier calls have already seen. */
  onBytes?: (bytes: Buffer, from: number) => void
  /** The error for a body that stops arriving. */
  stalled: () => Problem
  /** Resolves when the rest of a large body may be received. */
  admit: () => Promise<unknown>
}

/**
 * Receives a body. Stops reading when the body stalls or exceeds the limit, whether or not its length was declared.
 * Reads more than `LARGE` bytes only after `admit` has resolved.
 *
 * @returns the bytes of a body that has already arrived and is not large; otherwise a promise of the bytes
 */
export const receive = (
  req: IncomingMessage,
  res: ServerResponse,
  reception: Reception,
): Buffer | Promise<Buffer> =>
  req.complete && !req.destroyed && req.readableLength <= Math.min(reception.limit, LARGE)
    ? takeArrived(req, reception)
    : receiveArriving(req, res, reception)

/** Returns a body that arrived completely while the credential was checked. It needs no listeners or timers. */
const takeArrived = (req: IncomingMessage, { hold, onBytes }: Reception): Buffer => {
  const bytes = (req.read() as Buffer | null) ?? EMPTY
  let isCut = false
  const held = hold(() => {
    isCut = true
  })
  held.add(bytes.length)
  held.complete()
  if (isCut) throw tooManyBodies()
  onBytes?.(bytes, 0)
  return bytes
}

const tooManyBodies = () => unavailable('Too many request bodies are being received.')

const receiveArriving = (
  req: IncomingMessage,
  res: ServerResponse,
  { limit, hold, onBytes, stalled, admit }: Reception,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const declared = Number(req.headers['content-length'] ?? limit)
    let bytes: Buffer = EMPTY
    let size = 0
    let sizeBefore = 0
    let isAdmitted = false
    const held = hold(() => settle(() => reject(tooManyBodies())))
    const checkProgress = () => {
      if (size - sizeBefore >= PROGRESS.bytes || req.isPaused()) {
        sizeBefore = size
        return
      }
      res.shouldKeepAlive = false
      settle(() => reject(stalled()))
    }
    const timer = setInterval(checkProgress, PROGRESS.window)

    /** The buffer grows in several steps, so that a caller cannot make us allocate much more than it sends. */
    const append = (chunk: Buffer) => {
      if (size + chunk.length > bytes.length) {
        const next = [SMALL, LARGE].find(step => step >= size + chunk.length) ?? declared
        const grown = Buffer.allocUnsafeSlow(Math.min(next, declared))
        bytes.copy(grown, 0, 0, size)
        bytes = grown
      }
      size += chunk.copy(bytes, size)
      onBytes?.(bytes.subarray(0, size), size - chunk.length)
    }
    const accept = (chunk: Buffer) => {
      append(chunk)
      held.add(chunk.length)
    }
    const acceptAfterAdmission = async (chunk: Buffer) => {
      req.pause()
      try {
        await admit()
        accept(chunk)
        req.resume()
      } catch (error) {
        settle(() => reject(error))
      }
    }

    const onData = (chunk: Buffer) => {
      if (size + chunk.length > limit) return settle(() => reject(tooLarge(limit)))
      if (isAdmitted || size + chunk.length <= LARGE) return accept(chunk)
      isAdmitted = true
      void acceptAfterAdmission(chunk)
    }
    const onEnd = () =>
      settle(() => {
        held.complete()
        resolve(bytes.subarray(0, size))
      })
    const onClose = () =>
      settle(() => reject(new Error('The connection closed before the body was complete')))
    const settle = (act: () => void) => {
      clearInterval(timer)
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
      act()
    }
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
