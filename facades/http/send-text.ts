import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Response } from 'express'

/** Minimum size in bytes for compression: a smaller body fits into one packet anyway. */
const MIN_BYTES = 1024

/** Size in bytes above which bodies are compressed less, because the best compression of a long body takes seconds. */
const LONG = 262_144

const ENCODERS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: bytes.length > LONG ? 1 : 4,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: bytes.length > LONG ? 1 : 6 }),
}

/**
 * Sends a text whose headers are set, compressed on a thread if the client accepts that. An ETag gets the name of the
 * encoding as a suffix. Only for texts without secrets: the length of a compressed text can reveal what it contains
 * (BREACH).
 */
export const sendText = (res: Response, text: string | Buffer): void => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  if (bytes.length < MIN_BYTES) return void res.send(bytes)
  res.vary('Accept-Encoding')
  // Check one by one: given several encodings, Express picks the first one in the client's list.
  const encoding = (['br', 'gzip'] as const).find(name => res.req.acceptsEncodings([name]) === name)
  if (!encoding) return void res.send(bytes)
  const etag = res.get('ETag')
  if (etag) res.set('ETag', etag.replace(/"$/, `-${encoding}"`))
  // The client's copy is current: Express sends a 304 without the body.
  if (res.req.fresh) return void res.send(bytes)
  ENCODERS[encoding](bytes).then(
    compressed => (res.destroyed ? res : res.set('Content-Encoding', encoding).send(compressed)),
    () => res.destroy(),
  )
}
