import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { compress, encodedETag, encodingFor, MIN_COMPRESSED_BYTES } from './encoding.ts'
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
  const canEncode = bytes.length >= MIN_COMPRESSED_BYTES
  const encoding = canEncode ? encodingFor(res.req) : null
  const headers: Headers = canEncode ? { ...given, Vary: varyOf(res) } : given
  const etag = headerOf(res, given, 'ETag')
  if (encoding && etag) headers.ETag = encodedETag(etag, encoding)
  if (!encoding || isKnown(res, headers)) {
    sendBytes(res, bytes, headers)
    return
  }
  compress(bytes, encoding).then(
    compressed => res.destroyed || sendBytes(res, compressed, { ...headers, 'Content-Encoding': encoding }),
    () => res.destroy(),
  )
}

/**
 * Sends bytes without compression, or a 304 if the client already has the current version.
 *
 * @param given headers in addition to those that are set already
 */
export const sendBytes = (res: ServerResponse, bytes: Buffer, given: Headers): void => {
  if (isKnown(res, given)) {
    const { 'Content-Type': _, ...headers } = given
    res.removeHeader('Content-Type')
    return void res.writeHead(304, headers).end()
  }
  const headers: OutgoingHttpHeaders = { ...given, 'Content-Length': bytes.length }
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
