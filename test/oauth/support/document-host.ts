/** A local TLS server that serves client metadata documents. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const pem = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** Certificate for the reserved names `client.test` and `other.test`. */
export const CERTIFICATE = pem('certificate.pem')

export interface DocumentHost {
  /** `https://client.test:port` */
  origin: string
  port: number
  /** Host and path of every request received. */
  requests: string[]
  close(): Promise<void>
}

export const documentHost = async (
  handler: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<DocumentHost> => {
  const requests: string[] = []
  const server = createServer({ cert: CERTIFICATE, key: pem('key.pem') }, (req, res) => {
    requests.push(`${req.headers.host}${req.url}`)
    handler(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://client.test:${port}`,
    port,
    requests,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
