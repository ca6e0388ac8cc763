import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'

/**
 * Passes requests on with a credential added, for programs that have no way of sending one. Everything else is
 * left as it came, the host's name and the origin too.
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
    const onward = request(
      { host: '127.0.0.1', port: target, method: req.method, path: req.url, headers },
      answer => {
        res.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(res)
      },
    )
    onward.on('error', () => res.destroy())
    req.pipe(onward)
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  return server
}
