import net from 'node:net'

/** A connection that does only what it is told. */
export interface RawConnection {
  socket: net.Socket
  /** What it has received. */
  received: () => string
  isClosed: () => boolean
}

/** Connects and sends. Errors only close the connection. */
export const connect = (port: number, data: string | Buffer, from: string): RawConnection => {
  const socket = net.connect({ host: '127.0.0.1', port, localAddress: from })
  let received = ''
  let isClosed = false
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('data', (part: Buffer) => {
    received = (received + part.toString('latin1')).slice(0, 4_096)
  })
  if (data.length > 0) socket.write(data)
  return { socket, received: () => received, isClosed: () => isClosed }
}

/** The status of the first response; `closed` or `open` without one. */
export const outcomeOf = ({ received, isClosed }: RawConnection): string =>
  /^HTTP\/1\.1 (\d+)/.exec(received())?.[1] ?? (isClosed() ? 'closed' : 'open')

/** Counts equal names. */
export const count = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
