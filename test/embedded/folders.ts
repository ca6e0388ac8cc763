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

/** An empty folder that goes with the test. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'embedded-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A server that is stopped with the test; not durable unless said. */
export async function started(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ durable: false, ...options })
  onTestFinished(() => server.stop())
  return server
}

/** The rows of one query, over a connection of its own. */
export async function ask<Row>(
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

/** The number of the server process that works on a folder. */
export async function serverPid(folder: string): Promise<number> {
  return Number((await readFile(path.join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** What a killed start has left half-made in a folder. */
export async function unfinished(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter(name => name.startsWith('unfinished-'))
}
