import type { Response } from 'express'
import { compress, encodedETag, encodingFor, MIN_COMPRESSED_BYTES } from './encoding.ts'

/**
 * Sends a text, compressed if the client accepts that. The caller sets the headers first; an ETag gets the name of the
 * encoding as a suffix. Use it only for texts without secrets: the length of a compressed text can reveal what it
 * contains (decision 0011).
 */
export const sendText = (res: Response, text: string | Buffer): void => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  if (bytes.length < MIN_COMPRESSED_BYTES) return void res.send(bytes)
  res.vary('Accept-Encoding')
  const encoding = encodingFor(res.req)
  if (!encoding) return void res.send(bytes)
  const etag = res.get('ETag')
  if (etag) res.set('ETag', encodedETag(etag, encoding))
  // The client's copy is current, so Express sends a 304 without the body.
  if (res.req.fresh) return void res.send(bytes)
  compress(bytes, encoding).then(
    compressed => (res.destroyed ? res : res.set('Content-Encoding', encoding).send(compressed)),
    () => res.destroy(),
  )
}
