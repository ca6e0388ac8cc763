import http from 'node:http'
import net from 'node:net'
import type { Body } from '../../support/rest-client.ts'

/** A response as received; redirects are not followed and nothing is decoded. */
export interface RawResponse {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  /** The parsed JSON body, or an empty object. */
  body: Body
}

interface Sent {
  headers?: http.OutgoingHttpHeaders
  /** The body, sent with a `Content-Length`. */
  body?: string | Buffer
  /** The body in chunks, sent with chunked encoding instead of `body`. */
  chunks?: Iterable<Buffer>
}

/**
 * Sends a request with any method, path and headers. Nothing is added, normalized or followed.
 *
 * @param url of the service, without a path
 */
export const request = (url: string, method: string, path: string, sent: Sent = {}): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const headers = { ...sent.headers }
    if (sent.body !== undefined) headers['Content-Length'] ??= Buffer.byteLength(sent.body)
    const { hostname, port } = new URL(url)
    const outgoing = http.request({ hostname, port, method, path, headers, agent: false }, res => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('error', reject)
      res.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const isJson = /json/.test(res.headers['content-type'] ?? '')
        const body = text !== '' && isJson ? (JSON.parse(text) as Body) : {}
        resolve({ status: res.statusCode!, headers: res.headers, text, body })
      })
    })
    outgoing.on('error', reject)
    if (sent.chunks) {
      for (const chunk of sent.chunks) outgoing.write(chunk)
      outgoing.end()
    } else {
      outgoing.end(sent.body)
    }
  })

/** A TCP connection to the service. */
export interface RawConnection {
  /** Resolves when the bytes are sent; rejects if the connection is closed. */
  write(bytes: string | Buffer): Promise<void>
  /** Resolves with everything received, once it contains `text`. Rejects if the service closes the connection first. */
  waitForText(text: string): Promise<string>
  /** Resolves with everything received, once the service closes the connection. Rejects on a reset. */
  waitForClose(): Promise<string>
  /** Stops reading, and reads on. */
  pause(): void
  resume(): void
  /** Destroys the connection. */
  destroy(): void
}

/** Opens a TCP connection to the service. */
export const openConnection = (url: string): Promise<RawConnection> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = net.connect(Number(port), hostname)
    let text = ''
    let failure: Error | undefined
    let isClosed = false
    const listeners = new Set<() => void>()
    const notify = () => {
      for (const listener of listeners) listener()
    }
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
      notify()
    })
    socket.on('error', error => {
      failure = error
      notify()
    })
    socket.on('close', () => {
      isClosed = true
      notify()
    })
    const until = (isDone: () => boolean) =>
      new Promise<string>((resolve, reject) => {
        const check = () => {
          if (!isDone() && !failure && !isClosed) return
          listeners.delete(check)
          if (isDone()) resolve(text)
          else reject(failure ?? new Error(`closed after ${JSON.stringify(text.slice(0, 200))}`))
        }
        listeners.add(check)
        check()
      })
    socket.once('error', reject)
    socket.once('connect', () =>
      resolve({
        write: bytes =>
          new Promise((resolve, reject) => {
            socket.write(bytes, error => (error ? reject(error) : resolve()))
          }),
        waitForText: wanted => until(() => text.includes(wanted)),
        waitForClose: () => until(() => isClosed && !failure),
        pause: () => void socket.pause(),
        resume: () => void socket.resume(),
        destroy: () => void socket.destroy(),
      }),
    )
  })

/** Returns the request line and headers of a request. */
export const head = (method: string, path: string, headers: Record<string, string | number>) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')
