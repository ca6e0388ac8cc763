import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { MIMEType } from 'node:util'
import { Problem } from '../../routers/core/problem.ts'

/** A request body. */
export interface Body {
  json: unknown
  /** In bytes. */
  size: number
}

/**
 * Reads a JSON body. The headers are checked before any of it is read.
 *
 * @param limit maximum size in bytes
 * @throws `unsupported_media_type`, `payload_too_large` or `invalid_json`, checked in this order (decision 1)
 */
export const readJson = async (req: IncomingMessage, res: ServerResponse, limit: number): Promise<Body> => {
  const length = Number(req.headers['content-length'] ?? 0)
  const hasBody = length > 0 || req.headers['transfer-encoding'] !== undefined
  const type = req.headers['content-type']
  if (type === undefined && !hasBody) throw new Problem('invalid_json', { detail: 'The body is empty.' })
  if (type === undefined || !isJson(type) || isCompressed(req)) throw new Problem('unsupported_media_type')
  if (length > limit) throw tooLarge(limit)
  if (req.headers.expect !== undefined) res.writeContinue()
  const bytes = await collect(req, limit)
  return { json: parse(bytes), size: bytes.length }
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

/** Stops reading at the limit, also when the length is not declared. */
const collect = (req: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) settle(() => reject(tooLarge(limit)))
      else chunks.push(chunk)
    }
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks, size)))
    const onClose = () =>
      settle(() => reject(new Error('The connection closed before the body was complete')))
    const settle = (act: () => void) => {
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
      act()
    }
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })

const parse = (bytes: Buffer): unknown => {
  if (bytes.length === 0) throw new Problem('invalid_json', { detail: 'The body is empty.' })
  if (!isUtf8(bytes)) throw new Problem('invalid_json', { detail: 'The body is not UTF-8.' })
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new Problem('invalid_json', { detail: 'The body cannot be parsed as JSON.', cause: error })
  }
}
