import { httpLink, type TRPCLink } from '@trpc/client'
import type { AppRouter } from '../../routers/index.ts'

/** Called with the fraction of a request that has been sent, from 0 to 1. It is 1 while the response is pending. */
export type OnProgress = (fraction: number) => void

/** Returns the tRPC call context that reports upload progress. */
export const withProgress = (onProgress: OnProgress) => ({ onProgress })

/** Abort after this time without progress, in ms. */
const STALL_TIMEOUT = 60_000

/** A `fetch` over XMLHttpRequest, which reports upload progress. */
const sendOverXhr =
  (onProgress: OnProgress | undefined): typeof fetch =>
  (address, init) =>
    new Promise((resolve, reject) => {
      const signal = init?.signal
      const request = new XMLHttpRequest()
      const abort = () => request.abort()
      let stallTimer: ReturnType<typeof setTimeout> | undefined
      const restartTimer = () => {
        clearTimeout(stallTimer)
        stallTimer = setTimeout(() => {
          reject(new TypeError('The connection was lost'))
          abort()
        }, STALL_TIMEOUT)
      }
      request.open(init?.method ?? 'GET', address instanceof Request ? address.url : address)
      for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        restartTimer()
        onProgress?.(loaded / total)
      })
      request.upload.addEventListener('load', () => onProgress?.(1))
      request.addEventListener('load', () =>
        resolve(new Response(request.responseText, { status: request.status })),
      )
      request.addEventListener('error', () => reject(new TypeError('The connection was lost')))
      request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
      request.addEventListener('loadend', () => {
        clearTimeout(stallTimer)
        signal?.removeEventListener('abort', abort)
      })
      if (signal?.aborted) return reject(new DOMException('Cancelled', 'AbortError'))
      signal?.addEventListener('abort', abort)
      restartTimer()
      // tRPC always sends a string body.
      request.send(typeof init?.body === 'string' ? init.body : null)
    })

/**
 * Sends each call in its own XMLHttpRequest, because a batch of files could exceed the body size limit.
 *
 * @param url the tRPC endpoint
 */
export const uploadLink = (url: URL): TRPCLink<AppRouter> => {
  return runtime => operation => {
    const { onProgress } = operation.op.context as Partial<ReturnType<typeof withProgress>>
    return httpLink<AppRouter>({ url, fetch: sendOverXhr(onProgress) })(runtime)(operation)
  }
}
