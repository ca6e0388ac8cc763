import type { IncomingMessage } from 'node:http'
import type { FetchFile } from '../../routers/api/context.ts'
import { guardedRequest, internet, type Network, withinTime } from './guarded-request.ts'

/** Timeout of a fetch with its redirects, in ms. */
const TIMEOUT = 15_000
/** Maximum number of redirects that are followed. */
const MAX_REDIRECTS = 3

/** Fetches files from addresses that callers choose. Every redirect is checked like the first address. */
export const fileFetcher =
  (network: Network = internet): FetchFile =>
  (url, maxBytes) =>
    withinTime(network.timeout ?? TIMEOUT, async signal => {
      let target = url
      for (let redirects = 0; ; redirects += 1) {
        const response = await guardedRequest(target, '*/*', network, signal)
        try {
          const next = redirectOf(response, target)
          if (!next) return { bytes: await bytesOf(response, maxBytes), url: target }
          if (redirects === MAX_REDIRECTS) throw new Error(`it redirects more than ${MAX_REDIRECTS} times`)
          target = next
        } finally {
          response.destroy()
        }
      }
    })

/** Returns the target of a redirect; null for other responses. */
const redirectOf = ({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | null => {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return null
  const target = URL.parse(location, from.href)
  if (!target) throw new Error('it redirects to an invalid address')
  return target
}

/** Reads the body of a response. Stops as soon as there are more bytes than allowed. */
const bytesOf = async (response: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const { statusCode, headers } = response
  if (statusCode !== 200) throw new Error(`its host returned ${statusCode} instead of 200`)
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new Error('its host compressed the response')
  const tooLarge = () => new Error(`it has more than ${maxBytes} bytes`)
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
