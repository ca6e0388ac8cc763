import type { ServerResponse } from 'node:http'
import { compressOnce, encodedETag, encodingFor, MIN_COMPRESSED_BYTES } from './encoding.ts'
import { isFresh } from './freshness.ts'

/** Headers by name. */
export type Headers = Record<string, string>

/**
 * Sends text, compressed if the client accepts that, or a 304 if the client already has the current version. An ETag
 * gets the name of the encoding as a suffix. Use this function only for text without secrets: the compressed length can
 * reveal the content (decision 0011).
 *
 * @param given headers in addition to those that are set already
 */
export const sendText = (res: ServerResponse, text: string | Buffer, given: Headers = {}): void => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const headers = { ...given }
  const canEncode = bytes.length >= MIN_COMPRESSED_BYTES
  const encoding = canEncode ? encodingFor(res.req) : null
  if (canEncode) headers.Vary = varyOf(res)
  const etag = headerOf(res, given, 'ETag')
  if (encoding && etag) headers.ETag = encodedETag(etag, encoding)
  if (!encoding || isKnown(res, headers)) {
    send(res, bytes, headers)
    return
  }
  headers['Content-Encoding'] = encoding
  compressOnce(bytes, encoding).then(
    compressed => res.destroyed || send(res, compressed, headers),
    () => res.destroy(),
  )
}

/**
 * Sends bytes without compression, or a 304 if the client already has the current version.
 *
 * @param given headers in addition to those that are set already
 */
export const sendBytes = (res: ServerResponse, bytes: Buffer, given: Headers): void =>
  send(res, bytes, { ...given })

/** @param headers modified by this function */
const send = (res: ServerResponse, bytes: Buffer, headers: Headers): void => {
  if (isKnown(res, headers)) {
    delete headers['Content-Type']
    res.removeHeader('Content-Type')
    return void res.writeHead(304, headers).end()
  }
  headers['Content-Length'] = String(bytes.length)
  res.writeHead(res.statusCode, headers)
  if (res.req.method === 'HEAD') res.end()
  else res.end(bytes)
}

/** Whether the client has the current version. */
const isKnown = (res: ServerResponse, given: Headers): boolean =>
  res.statusCode < 300 &&
  isFresh(res.req, {
    etag: headerOf(res, given, 'ETag'),
    lastModified: headerOf(res, given, 'Last-Modified'),
  })

const headerOf = (res: ServerResponse, given: Headers, name: 'ETag' | 'Last-Modified') =>
  given[name] ?? (res.getHeader(name) as string | undefined)

const varyOf = (res: ServerResponse): string => {
  const before = res.getHeader('Vary')
  return before === undefined ? 'Accept-Encoding' : `${String(before)}, Accept-Encoding`
}
