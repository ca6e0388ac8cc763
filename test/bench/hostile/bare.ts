/**
 * A node:http server that does nothing, for `test/bench/hostile.ts`. Its latency is what the machine alone adds to
 * every request.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((_req, res) => void res.setHeader('content-type', 'application/json').end('{}'))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => server.close())
