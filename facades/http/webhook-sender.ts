import type { SendWebhook } from '../../routers/api/context.ts'
import { limits } from '../../routers/api/rules.ts'
import { guardedRequest, internet, type Network, withinTime } from './guarded-request.ts'

/**
 * Sends messages to addresses that callers choose. Only the status of the answer is read. The rest would let people read
 * what an address answers to this service, and could contain anything, so it is neither stored nor shown.
 */
export const webhookSender =
  (network: Network = internet): SendWebhook =>
  (url, headers, body, signal) =>
    withinTime(network.timeout ?? limits.webhookSeconds * 1000, async timeout => {
      const sent = {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        ...headers,
      }
      const response = await guardedRequest(url, '*/*', network, AbortSignal.any([timeout, signal]), {
        headers: sent,
        body,
      })
      response.destroy()
      return response.statusCode!
    })
