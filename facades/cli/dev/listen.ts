import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Failure } from '../failure.ts'

/** The port that is tried first. */
const USUAL_PORT = 4747

/** How often to look for a port that is free at both addresses. */
const ATTEMPTS = 5

/** The addresses of this computer that no other can reach. Browsers try both for names that end in `localhost`. */
const LOOPBACK = ['127.0.0.1', '::1'] as const

/** Codes of errors that mean that the computer has no such address. */
const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])

/** Servers that listen at the same port. */
interface Listening {
  port: number
  close: () => Promise<void>
}

/**
 * Listens at the loopback addresses of this computer.
 *
 * @param port null for the usual one, or any other if that is taken
 * @throws {Failure} if the port is taken
 */
export const listen = async (handle: RequestListener, port: number | null): Promise<Listening> => {
  const wanted = port === null ? [USUAL_PORT, ...Array.from({ length: ATTEMPTS }, () => 0)] : [port]
  for (const candidate of wanted) {
    const listening = await listenAt(handle, candidate)
    if (listening) return listening
  }
  throw new Failure(
    port === null ? 'No port is free.' : `Port ${port} is in use; choose another one, or leave out --port.`,
  )
}

/** Returns null if the port is taken at one of the addresses: another program would get some of the requests. */
const listenAt = async (handle: RequestListener, port: number): Promise<Listening | null> => {
  const servers: Server[] = []
  const close = async () => {
    for (const server of servers) server.closeAllConnections()
    await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  }
  let chosen = port
  for (const host of LOOPBACK) {
    const server = createServer(handle)
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port: chosen, host }, resolve)
      })
      servers.push(server)
      chosen = (server.address() as AddressInfo).port
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? ''
      if (host === '::1' && NO_ADDRESS.has(code)) continue
      await close()
      if (code === 'EADDRINUSE') return null
      if (code === 'EACCES') throw new Failure(`You may not use port ${port}; choose one above 1023.`)
      throw error
    }
  }
  return { port: chosen, close }
}
