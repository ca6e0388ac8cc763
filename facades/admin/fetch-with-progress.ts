interface Progress {
  /** Called with the fraction of the request that has been sent, from 0 to 1. It is 1 while the response is pending. */
  onSent?: ((fraction: number) => void) | undefined
  /** Called with the numbers of bytes received and expected, unless the response is an error. */
  onReceived?: ((loaded: number, total: number) => void) | undefined
}

/** `fetch` over XMLHttpRequest, which reports progress. */
export const fetchWithProgress = (
  address: URL | string,
  { method = 'GET', headers, body = null, signal, onSent, onReceived }: RequestInit & Progress,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(method, address)
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
    // The browser keeps large blobs on disk.
    request.responseType = 'blob'
    if (onSent) {
      request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded / total))
      request.upload.addEventListener('load', () => onSent(1))
    }
    request.addEventListener('progress', ({ loaded, total }) => {
      if (request.status === 200) onReceived?.(loaded, total)
    })
    request.addEventListener('load', () => {
      const lines = request.getAllResponseHeaders().trim().split('\r\n')
      const headers = lines.map(line => line.split(/: *(.*)/, 2) as [string, string])
      resolve(new Response(request.response as Blob, { status: request.status, headers }))
    })
    request.addEventListener('error', () => reject(new TypeError('The connection was lost')))
    request.addEventListener('abort', () => reject(signal?.reason))
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort))
    signal?.addEventListener('abort', abort)
    request.send(body as XMLHttpRequestBodyInit | null)
  })
