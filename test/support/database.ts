import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../db/embedded/postgres.ts'
import { closeDatabase, distributeDatabase, findWorkers, runIn, urlWith } from './cluster.ts'
import { partitionContent } from './partitions.ts'
import { provideTemplateData } from './template-data.ts'

declare module 'vitest' {
  interface ProvidedContext {
    database: DatabaseServer
  }
}

/** The PostgreSQL server of the tests. */
export interface DatabaseServer {
  /** URL of the database `postgres` on this server. */
  url: string
  /** Name of a database with the current schema and no rows, which each test file copies. */
  template: string
  /**
   * How to copy the template. `file_copy` takes two thirds of the time of `wal_log`, but forces a checkpoint, which
   * would wait for the disk of a durable server.
   */
  strategy: 'file_copy' | 'wal_log'
  /** URLs of the other servers of a Citus cluster. A copied database is spread over all servers, under one name. */
  workers: readonly string[]
}

const uniqueName = (prefix: string) => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`

/** Creates the template database on a server. */
const createTemplate = async (url: string, template: string) => {
  // Imported only when needed, because most runs use the template of an earlier run.
  const [{ migrate }, { Database }] = await Promise.all([
    import('../../db/migrate.ts'),
    import('../../db/database.ts'),
  ])
  await runIn(url, `create database ${template}`)
  const database = await Database.open({ url: urlWith(url, { database: template }) })
  await migrate(database)
  await database.close()
}

const startServer = async (folder: string, durable: boolean, settings: Record<string, string>) => {
  const server = await startEmbeddedPostgres({ folder, durable, settings })
  const { host, port, user } = server.connection
  const url = `postgresql://${user}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`
  return { url, stop: () => server.stop() }
}

/** Starts a PostgreSQL server that has the template. */
const startOwnServer = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-test-'))
  // A connection pooler that runs as PostgreSQL's user must be able to reach the socket in this folder.
  await chmod(folder, 0o711)
  const template = 'template_of_tests'
  await provideTemplateData(folder, async (data, durable) => {
    // The data is copied for each run, so it should be small. These settings leave a single file of the
    // write-ahead log, and only the used part of that file takes up disk space.
    const server = await startServer(data, durable, { wal_recycle: 'off', wal_init_zero: 'off' })
    await createTemplate(server.url, template)
    await server.stop()
  })
  // Several test files run at the same time, and each opens its own connections.
  const { url, stop } = await startServer(folder, false, { max_connections: '300' })
  return {
    url,
    template,
    strategy: 'file_copy' as const,
    workers: [],
    stop: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Creates the template on a running server. On the coordinator of a cluster, distributes it to the workers. */
const useServer = async (url: string) => {
  const template = uniqueName('template')
  const workers = await findWorkers(url)
  await createTemplate(url, template)
  if (workers.length > 0) await distributeDatabase(urlWith(url, { database: template }), workers)
  const servers = [url, ...workers]
  return {
    url,
    template,
    strategy: 'wal_log' as const,
    workers,
    stop: () => Promise.all(servers.map(server => runIn(server, `drop database ${template}`))),
  }
}

/** Provides a server with the template database, and returns a function that stops the server or drops the template. */
export const provideDatabase = async (project: TestProject): Promise<() => Promise<unknown>> => {
  const given = process.env.TEST_DATABASE_URL
  const { stop, ...server } = await (given ? useServer(given) : startOwnServer())
  const { url, template, workers } = server
  // The cached template has no partitions.
  if (process.env.TEST_PARTITIONS === '1') await partitionContent(urlWith(url, { database: template }))
  if (given) await Promise.all([url, ...workers].map(each => closeDatabase(each, template)))
  project.provide('database', server)
  return stop
}

/** Names of the copies that the current test file has made on a cluster. */
let copies: string[] = []

/** Copies the template database, so that a test file has a database of its own. Returns the URL of the copy. */
export const copyDatabase = async ({ url, template, strategy, workers }: DatabaseServer): Promise<string> => {
  const name = uniqueName('test')
  // On a cluster, the tables of the template are spread over all servers. So copy the template on every server.
  await Promise.all(
    [url, ...workers].map(server =>
      runIn(server, `create database ${name} template ${template} strategy ${strategy}`),
    ),
  )
  if (workers.length > 0) copies.push(name)
  return urlWith(url, { database: name })
}

/** Drops the copies that the current test file has made on a cluster. */
export const dropCopies = async ({ url, workers }: DatabaseServer): Promise<void> => {
  const names = copies
  copies = []
  for (const name of names)
    for (const server of [url, ...workers]) await runIn(server, `drop database ${name} with (force)`)
}
