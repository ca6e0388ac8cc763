import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../db/embedded/postgres.ts'
import { migrate } from '../../db/migrate.ts'
import { openDatabase } from '../../db/orm.ts'
import { partitionContent } from './partitions.ts'

declare module 'vitest' {
  interface ProvidedContext {
    database: DatabaseServer
  }
}

/** The PostgreSQL server of the tests. */
export interface DatabaseServer {
  /** URL of its database `postgres`. */
  url: string
  /** Name of a database with the current schema and no rows, which each test file copies. */
  template: string
}

const withName = (url: string, name: string) => {
  const named = new URL(url)
  named.pathname = `/${name}`
  return named.href
}

const uniqueName = (prefix: string) => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`

/** Runs a statement on a server. */
export const onServer = async (url: string, statement: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Starts a PostgreSQL server for this run, or uses the one that `TEST_DATABASE_URL` names. */
const startServer = async () => {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: () => Promise.resolve() }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-test-'))
  // Allow a pooler that runs as the user of the server to reach the socket in this folder.
  await chmod(folder, 0o711)
  // Several test files run at the same time, and each opens its own connections.
  const settings = { max_connections: '300' }
  const server = await startEmbeddedPostgres({ folder, durable: false, settings })
  const { host, port, user } = server.connection
  return {
    url: `postgresql://${user}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts the server and creates the template database before all tests, and stops the server afterwards. */
export default async (project: TestProject) => {
  const { url, stop } = await startServer()
  const template = uniqueName('template')
  await onServer(url, `create database ${template}`)
  const orm = await openDatabase({ url: withName(url, template) })
  await migrate(orm)
  await orm.close()
  if (process.env.TEST_PARTITIONS === '1') await partitionContent(withName(url, template))
  project.provide('database', { url, template })
  return async () => {
    await onServer(url, `drop database ${template}`)
    await stop()
  }
}

/** Copies the template for a test file and returns the URL of the copy. */
export const copyDatabase = async ({ url, template }: DatabaseServer): Promise<string> => {
  const name = uniqueName('test')
  await onServer(url, `create database ${name} template ${template}`)
  return withName(url, name)
}
