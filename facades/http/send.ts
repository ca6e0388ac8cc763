import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { RateState } from '../../routers/core/context.ts'
import { compress, encodingFor, MIN_COMPRESSED_BYTES } from './encoding.ts'

/** The headers that report a caller's rate limit (contract: general conventions, 11). */
const rateHeaders = ({ limit, remaining, reset }: RateState) => ({
  'RateLimit-Limit': limit,
  'RateLimit-Remaining': remaining,
  'RateLimit-Reset': reset,
})

/** A response to an authenticated call. */
export interface PrivateResponse {
  status: number
  /** Null for a response without a body. Buffers are sent one after the other, without copying them. */
  body: { type: string; text: string | readonly Buffer[] } | null
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
  const chunks = body && (typeof body.text === 'string' ? [Buffer.from(body.text)] : body.text)
  const size = chunks?.reduce((sum, chunk) => sum + chunk.length, 0) ?? 0
  const isLong = mayCompress && size >= MIN_COMPRESSED_BYTES
  const encoding = isLong ? encodingFor(res.req) : null
  const finish = (content: readonly Buffer[] | null, length: number) => {
    res.writeHead(status, {
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(isLong ? { Vary: 'Accept-Encoding' } : {}),
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
      ...(rate ? rateHeaders(rate) : {}),
      ...headers,
      ...(body && content ? { 'Content-Type': body.type, 'Content-Length': length } : {}),
    })
    // `end` alone sends headers and body in one packet.
    if (content) for (const chunk of content.slice(0, -1)) res.write(chunk)
    res.end(content?.at(-1))
  }
  if (!encoding || !chunks) {
    finish(chunks, size)
    return
  }
  compress(Buffer.concat(chunks), encoding).then(
    compressed => res.destroyed || finish([compressed], compressed.length),
    () => res.destroy(),
  )
}
