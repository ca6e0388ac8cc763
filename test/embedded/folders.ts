import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../db/embedded/postgres.ts'

/** Creates a folder that is deleted after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'embedded-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Starts a server that is stopped after the test. By default, it does not flush writes to the disk. */
export async function startTestServer(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ durable: false, ...options })
  onTestFinished(() => server.stop())
  return server
}

/** Runs a query on a new connection and returns its rows. */
export async function query<Row>(
  { connection }: Pick<EmbeddedPostgres, 'connection'>,
  sql: string,
  database = 'postgres',
): Promise<Row[]> {
  const client = new Client({ ...connection, database })
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Returns the process id of the server that uses a folder. */
export async function serverPid(folder: string): Promise<number> {
  return Number((await readFile(path.join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Returns the names of the unfinished files in a folder. Such files remain if the first start is killed. */
export async function unfinishedFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter(name => name.startsWith('unfinished-'))
}
