import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { role } from './cluster.ts'
import type { EmbeddedPostgres } from './postgres.ts'
import { readPidFile } from './previous-server.ts'
import { isListening, port } from './socket.ts'

/**
 * Finds the server that another process runs on a data folder, for commands that run while the service is running.
 *
 * @returns how to connect to it, or null when none is running
 */
export const findRunningPostgres = async (
  folder: string,
): Promise<Pick<EmbeddedPostgres, 'connection'> | null> => {
  const data = path.join(await realpath(folder).catch(() => folder), 'data')
  const file = await readPidFile(data)
  if (!file) return null
  const host = file.socketFolder === '.' ? data : file.socketFolder
  return (await isListening(host)) ? { connection: { host, port, user: role } } : null
}
