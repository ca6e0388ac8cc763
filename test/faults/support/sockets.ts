import net from 'node:net'

/** A TCP connection that sends nothing by itself. */
export interface RawConnection {
  socket: net.Socket
  /** Returns the text received so far, at most 4,096 characters. */
  received: () => string
  isClosed: () => boolean
}

/** Connects and sends data. An error closes the connection and is not thrown. */
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

/** Returns the status of the first response, or `closed` or `open` if there was none. */
export const outcomeOf = ({ received, isClosed }: RawConnection): string =>
  /^HTTP\/1\.1 (\d+)/.exec(received())?.[1] ?? (isClosed() ? 'closed' : 'open')

/** Counts how often each name occurs. */
export const count = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
