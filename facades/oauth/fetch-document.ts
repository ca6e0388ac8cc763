import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import type { FetchDocument } from '../../routers/credentials/oauth/client-documents.ts'
import { guardedRequest, internet, type Network, withinTime } from '../http/guarded-request.ts'

/** Timeout of a fetch, in ms. */
const TIMEOUT = 5_000
/** Maximum size of a document, in bytes. */
const MAX_BYTES = 65_536

/** Fetches small JSON documents from addresses that unauthenticated callers choose. */
export const documentFetcher =
  (network: Network = internet): FetchDocument =>
  url =>
    withinTime(network.timeout ?? TIMEOUT, async signal => {
      const response = await guardedRequest(url, 'application/json', network, signal)
      try {
        return await parsed(response)
      } finally {
        response.destroy()
      }
    })

const parsed = async (response: IncomingMessage): Promise<unknown> => {
  const { statusCode, headers } = response
  if (statusCode !== 200) throw new Error(`its host returned ${statusCode} instead of 200`)
  if (!isJson(headers['content-type']) || headers['content-encoding'] !== undefined)
    throw new Error('it is not plain application/json')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (error) {
    throw new Error('it is not JSON', { cause: error })
  }
}

const isJson = (type: string | undefined): boolean => {
  try {
    const { essence } = new MIMEType(type ?? '')
    return essence === 'application/json' || essence.endsWith('+json')
  } catch {
    return false
  }
}
