import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'

/**
 * Starts a proxy that adds a credential to each request, for programs that cannot send one. It passes everything else
 * on unchanged, including Host and Origin.
 *
 * @param target port of the service on this machine
 */
export const startKeyProxy = async (
  port: number,
  target: number,
  secretFor: (path: string) => string,
): Promise<Server> => {
  const server = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${secretFor(req.url ?? '/')}` }
    const forwarded = request(
      // Use a new connection per request, because the service could close an idle one just when it is reused.
      { host: '127.0.0.1', port: target, method: req.method, path: req.url, headers, agent: false },
      response => {
        res.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(res)
      },
    )
    forwarded.on('error', () => res.destroy())
    req.pipe(forwarded)
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  return server
}
