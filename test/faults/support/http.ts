import http from 'node:http'

/** A response, or the error if there was none. */
export interface Reply {
  /** 0 if there was no response. */
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  /** The code of a failed connection, `timeout`, or `incomplete` for a response that was cut off. */
  error?: string
}

export interface Call {
  method?: string
  path: string
  headers?: http.OutgoingHttpHeaders
  body?: string | Buffer
  /** The loopback address to call from. The service counts each address as a client. */
  from?: string
  /** Milliseconds until the request is aborted. */
  timeout?: number
}

/** Sends one request on a new connection. Never rejects. */
export const call = (port: number, { method, path, headers, body, from, timeout = 120_000 }: Call) =>
  new Promise<Reply>(resolve => {
    const fail = (error: string) => resolve({ status: 0, headers: {}, text: '', error })
    const req = http.request({
      host: '127.0.0.1',
      port,
      path,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      agent: false,
      ...(from === undefined ? {} : { localAddress: from }),
      headers: {
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    })
    const timer = setTimeout(() => {
      fail('timeout')
      req.destroy()
    }, timeout)
    req.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      fail(error.code ?? error.message)
    })
    req.on('response', res => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('close', () => {
        clearTimeout(timer)
        if (!res.complete) return fail('incomplete')
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(parts).toString() })
      })
    })
    req.end(body)
  })

/** Counts replies by status, or by error if there was no response. */
export const tally = (replies: readonly Reply[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status, error } of replies) {
    const name = error ?? String(status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** Runs `work` with each number from 0 to `times - 1`, at most `atOnce` at a time. */
export const repeat = async <T>(times: number, atOnce: number, work: (n: number) => Promise<T>) => {
  const results: T[] = []
  let next = 0
  const worker = async () => {
    while (next < times) {
      const n = next++
      results[n] = await work(n)
    }
  }
  await Promise.all(Array.from({ length: Math.min(times, atOnce) }, worker))
  return results
}
