import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { ensureDatabase, startEmbeddedPostgres } from '../../db/embedded/postgres.ts'
import { migrate } from '../../db/migrate.ts'
import { openDatabase } from '../../db/orm.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server whose database `template` has the current schema and no rows. */
    database: { host: string; port: number; user: string }
  }
}

/** The database that each test file copies. */
const TEMPLATE = 'template'

/**
 * Before all tests: a PostgreSQL of their own with the schema in a template database. `TEST_DATABASE_URL` runs them
 * on another server instead.
 */
export default async (project: TestProject) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-test-'))
  const server = await startEmbeddedPostgres({ folder, durable: false })
  await ensureDatabase(server, TEMPLATE)
  const orm = await openDatabase({ ...server.connection, database: TEMPLATE })
  await migrate(orm)
  await orm.close()
  project.provide('database', server.connection)
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A fresh copy of the template for one test file. */
export const copyDatabase = async (connection: {
  host: string
  port: number
  user: string
}): Promise<string> => {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const client = new Client({ ...connection, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${name} template ${TEMPLATE}`)
  await client.end()
  return name
}
