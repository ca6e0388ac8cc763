import type { ServerResponse } from 'node:http'
import { type Verdict, verdictOn } from './conditional-requests.ts'
import { compressOnce, encodedETag, encodingFor, MIN_COMPRESSED_BYTES } from './encoding.ts'

/** Headers by name. */
export type Headers = Record<string, string>

/**
 * Sends text, compressed if the client accepts that, or what the preconditions of the request ask for: a 304 or a 412.
 * An ETag gets the name of the encoding as a suffix. Use this function only for text without secrets: the compressed length can
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
  if (!encoding || verdictFor(res, headers) !== 'send') {
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
 * Sends bytes without compression, or what the preconditions of the request ask for: a 304 or a 412.
 *
 * @param given headers in addition to those that are set already
 */
export const sendBytes = (res: ServerResponse, bytes: Buffer, given: Headers = {}): void =>
  send(res, bytes, { ...given })

/** @param headers modified by this function */
const send = (res: ServerResponse, bytes: Buffer, headers: Headers): void => {
  const verdict = verdictFor(res, headers)
  if (verdict !== 'send') {
    sendVerdict(res, verdict, headers)
    return
  }
  headers['Content-Length'] = String(bytes.length)
  res.writeHead(res.statusCode, headers)
  if (res.req.method === 'HEAD') res.end()
  else res.end(bytes)
}

/** Evaluates the preconditions of the request. Only a successful response depends on them. */
const verdictFor = (res: ServerResponse, given: Headers): Verdict =>
  res.statusCode < 300
    ? verdictOn(res.req, {
        etag: headerOf(res, given, 'ETag'),
        lastModified: headerOf(res, given, 'Last-Modified'),
      })
    : 'send'

/**
 * Responds with a 304 or a 412. A 412 must not be cached in place of the content.
 *
 * @param given the headers that the full response would have
 */
export const sendVerdict = (
  res: ServerResponse,
  verdict: Exclude<Verdict, 'send'>,
  given: Headers = {},
): void => {
  const { 'Content-Type': _, ...headers } = given
  res.removeHeader('Content-Type')
  if (verdict === 'not modified') return void res.writeHead(304, headers).end()
  res.writeHead(412, { ...headers, 'Cache-Control': 'no-store', 'Content-Length': '0' }).end()
}

const headerOf = (res: ServerResponse, given: Headers, name: 'ETag' | 'Last-Modified') =>
  given[name] ?? (res.getHeader(name) as string | undefined)

const varyOf = (res: ServerResponse): string => {
  const before = res.getHeader('Vary')
  return before === undefined ? 'Accept-Encoding' : `${String(before)}, Accept-Encoding`
}
