import { type IncomingHttpHeaders, request } from 'node:http'
import type { TestService } from './test-service.ts'

/** A response of a site or another content host. */
export interface HostResponse {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/** Sends a request with any method and headers to one of the service's hosts. The path is sent unchanged. */
export const requestHost = (
  service: Pick<TestService, 'port'>,
  host: string,
  path = '/',
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<HostResponse> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: service.port,
        method,
        path,
        headers: { ...headers, host },
        agent: false,
      },
      response => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(pieces)
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            text: bytes.toString(),
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

/** Returns the directives of the Content-Security-Policy by name; empty if there is none. */
export const policyOf = ({ headers }: HostResponse): Record<string, string> =>
  Object.fromEntries(
    String(headers['content-security-policy'] ?? '')
      .split(';')
      .map(directive => directive.trim().split(/ (.*)/s))
      .map(([name, value]) => [name, value ?? '']),
  )
