import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { RateState } from '../../routers/api/context.ts'
import { compress, encodingFor, MIN_COMPRESSED_BYTES } from './encoding.ts'

/** The headers that report a caller's rate limit (contract: general conventions, 11). */
const rateHeaders = ({ limit, remaining, reset }: RateState) => ({
  'RateLimit-Limit': limit,
  'RateLimit-Remaining': remaining,
  'RateLimit-Reset': reset,
})

/**
 * Maximum length, in bytes, of a response that is sent as one string together with its headers. Node.js
 * encodes strings of up to 16 KiB on the stack, so it needs no buffer for such a response.
 */
const SHORT = 15_000

/** A response to an authenticated call. */
export interface PrivateResponse {
  status: number
  /**
   * Null for a response without a body. Buffers are sent one after the other, without copying them. `size` is the
   * length of the text in bytes; without it, the text is measured.
   */
  body: { type: string; text: string | readonly Buffer[]; size?: number } | null
  /** The caller's rate limit after this call; undefined when the call was not counted. */
  rate: RateState | undefined
  headers?: OutgoingHttpHeaders
}

/**
 * Sends a response with headers that forbid caching and guessing the content type.
 *
 * @param mayCompress false for a body with a credential, because the compressed length could reveal it (decision 0011)
 */
export const sendPrivate = (
  res: ServerResponse,
  { status, body, rate, headers }: PrivateResponse,
  mayCompress: boolean,
): void => {
  const text = body?.text
  const size = body?.size ?? sizeOf(text)
  const isLong = mayCompress && size >= MIN_COMPRESSED_BYTES
  const encoding = isLong ? encodingFor(res.req) : null
  const finish = (content: string | readonly Buffer[] | undefined, length: number) => {
    res.writeHead(status, {
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(isLong ? { Vary: 'Accept-Encoding' } : {}),
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
      ...(rate ? rateHeaders(rate) : {}),
      ...headers,
      ...(body && content !== undefined ? { 'Content-Type': body.type, 'Content-Length': length } : {}),
    })
    // `end` without `write` sends headers and body in one packet. A text with as many bytes as characters is
    // ASCII, which needs no encoder.
    if (typeof content === 'string') res.end(content, length === content.length ? 'latin1' : 'utf8')
    else {
      if (content) for (const chunk of content.slice(0, -1)) res.write(chunk)
      res.end(content?.at(-1))
    }
  }
  if (!encoding || text === undefined) {
    finish(typeof text === 'string' && size > SHORT ? [Buffer.from(text)] : text, size)
    return
  }
  compress(typeof text === 'string' ? Buffer.from(text) : Buffer.concat(text), encoding).then(
    compressed => res.destroyed || finish([compressed], compressed.length),
    () => res.destroy(),
  )
}

/** Returns the length of a body in bytes. */
const sizeOf = (text: string | readonly Buffer[] = ''): number =>
  typeof text === 'string' ? Buffer.byteLength(text) : text.reduce((sum, chunk) => sum + chunk.length, 0)
