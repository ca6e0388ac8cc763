import { type IncomingHttpHeaders, request } from 'node:http'
import type { World } from './world.ts'

/** A response of a content host. */
export interface Delivered {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/** Sends a request to a host of the service with any method and headers. The path is sent unchanged. */
export const browse = (
  world: World,
  host: string,
  path = '/',
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Delivered> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: world.service.port,
        method,
        path,
        headers: { ...headers, host },
        agent: false,
      },
      answer => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('error', reject)
        answer.on('end', () => {
          const bytes = Buffer.concat(pieces)
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: bytes.toString() })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

/** Returns the directives of the Content-Security-Policy by name; empty without a policy. */
export const policyOf = ({ headers }: Delivered): Record<string, string> =>
  Object.fromEntries(
    String(headers['content-security-policy'] ?? '')
      .split(';')
      .map(directive => directive.trim().split(/ (.*)/s))
      .map(([name, value]) => [name, value ?? '']),
  )
