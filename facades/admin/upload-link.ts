import { httpLink, type TRPCLink } from '@trpc/client'
import type { AppRouter } from '../../routers/index.ts'

/** Hears how much of a request has been sent, from 0 to 1. It is 1 while the answer is being waited for. */
export type OnProgress = (share: number) => void

/** A call's context under which its progress is told. */
export const withProgress = (onProgress: OnProgress) => ({ onProgress })

/** Milliseconds without any progress after which the connection counts as lost. */
const STALLED = 60_000

/** Sends as `fetch` does, and tells of progress, which `fetch` cannot. */
const sendOverXhr =
  (onProgress: OnProgress | undefined): typeof fetch =>
  (address, init) =>
    new Promise((resolve, reject) => {
      const signal = init?.signal
      const request = new XMLHttpRequest()
      const abort = () => request.abort()
      let stalled: ReturnType<typeof setTimeout> | undefined
      const goesOn = () => {
        clearTimeout(stalled)
        stalled = setTimeout(() => {
          reject(new TypeError('The connection was lost'))
          abort()
        }, STALLED)
      }
      request.open(init?.method ?? 'GET', address instanceof Request ? address.url : address)
      for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        goesOn()
        onProgress?.(loaded / total)
      })
      request.upload.addEventListener('load', () => onProgress?.(1))
      request.addEventListener('load', () =>
        resolve(new Response(request.responseText, { status: request.status })),
      )
      request.addEventListener('error', () => reject(new TypeError('The connection was lost')))
      request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
      request.addEventListener('loadend', () => {
        clearTimeout(stalled)
        signal?.removeEventListener('abort', abort)
      })
      if (signal?.aborted) return reject(new DOMException('Cancelled', 'AbortError'))
      signal?.addEventListener('abort', abort)
      goesOn()
      // tRPC sends its calls as text.
      request.send(typeof init?.body === 'string' ? init.body : null)
    })

/**
 * Sends each call by itself over XMLHttpRequest: a batch would join files past the limit of a body.
 *
 * @param url of the tRPC door
 */
export const uploadLink = (url: URL): TRPCLink<AppRouter> => {
  return runtime => operation => {
    const { onProgress } = operation.op.context as Partial<ReturnType<typeof withProgress>>
    return httpLink<AppRouter>({ url, fetch: sendOverXhr(onProgress) })(runtime)(operation)
  }
}
