import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import Negotiator from 'negotiator'

/** Minimum size in bytes for compression: a smaller body fits into one packet anyway. */
export const MIN_COMPRESSED_BYTES = 1024

/**
 * Bodies above this size in bytes are compressed at a lower level, because the usual level would take several
 * times as long.
 */
const LONG = 262_144

/** A content coding that the service can produce. */
export type Encoding = 'br' | 'gzip'
const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

/** The best encoding that a client accepts; null if it accepts none. */
export const encodingFor = (req: IncomingMessage): Encoding | null => {
  if (req.headers['accept-encoding'] === undefined) return null
  const accepted = new Negotiator(req)
  // Ask for one encoding at a time. Given both, the negotiator would pick the one that the client lists first.
  return ENCODINGS.find(name => accepted.encoding([name]) === name) ?? null
}

const brotliOptions = (size: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: size > LONG ? 1 : 4,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
  },
})
const gzipOptions = (size: number) => ({ level: size > LONG ? 1 : 6 })

const brotliBytes = promisify(brotliCompress)
const gzipBytes = promisify(gzip)

/** Compresses bytes on another thread. */
export const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br'
    ? brotliBytes(bytes, brotliOptions(bytes.length))
    : gzipBytes(bytes, gzipOptions(bytes.length))

const compressedForms = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

/**
 * Like {@link compress}, but compresses the same buffer only once, because caches return the same buffer to many
 * requests. The compressed form stays in memory until the buffer is garbage-collected.
 */
export const compressOnce = (bytes: Buffer, encoding: Encoding): Promise<Buffer> => {
  const forms = compressedForms.get(bytes) ?? new Map<Encoding, Promise<Buffer>>()
  const known = forms.get(encoding)
  if (known) return known
  const compressed = compress(bytes, encoding)
  compressed.catch(() => forms.delete(encoding))
  forms.set(encoding, compressed)
  compressedForms.set(bytes, forms)
  return compressed
}

/** Returns a stream that compresses on another thread. @param size size of the content, in bytes */
export const compressor = (encoding: Encoding, size: number) =>
  encoding === 'br' ? createBrotliCompress(brotliOptions(size)) : createGzip(gzipOptions(size))

/** Returns the ETag of the encoded form of a response, from the ETag of its plain form. */
export const encodedETag = (etag: string, encoding: Encoding): string => etag.replace(/"$/, `-${encoding}"`)
