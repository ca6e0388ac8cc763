import { type IncomingHttpHeaders, request } from 'node:http'
import type { World } from './world.ts'

/** What a content door answered. */
export interface Delivered {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/** Sends one request to a content door: any method, any headers, and the path exactly as it is written. */
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

/** The directives of a Content-Security-Policy by name; empty when there is none. */
export const policyOf = ({ headers }: Delivered): Record<string, string> =>
  Object.fromEntries(
    String(headers['content-security-policy'] ?? '')
      .split(';')
      .map(directive => directive.trim().split(/ (.*)/s))
      .map(([name, value]) => [name, value ?? '']),
  )
