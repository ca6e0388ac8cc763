import { Client, type QueryResultRow } from 'pg'
import { DISTRIBUTE } from './partitions.ts'

/** Returns the URL with another database, host or port. */
export const urlWith = (
  url: string,
  { database, host, port }: { database?: string; host?: string; port?: number },
): string => {
  const changed = new URL(url)
  if (database !== undefined) changed.pathname = `/${database}`
  if (host !== undefined) changed.hostname = host
  if (port !== undefined) changed.port = String(port)
  return changed.href
}

/** Runs statements in a database, one after the other, and returns the rows of the last one. */
export const runIn = async <Row extends QueryResultRow>(
  url: string,
  ...statements: string[]
): Promise<Row[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Returns the URLs of the workers of a Citus cluster; none if the database is not on the coordinator of a cluster. */
export const findWorkers = async (url: string): Promise<string[]> => {
  const extensions = await runIn(url, `select from pg_extension where extname = 'citus'`)
  if (extensions.length === 0) return []
  const workers = await runIn<{ host: string; port: string }>(
    url,
    'select node_name as host, node_port as port from citus_get_active_worker_nodes() order by 1, 2',
  )
  return workers.map(({ host, port }) => urlWith(url, { host, port: Number(port) }))
}

/** Distributes the content of a migrated database, as an operator would. */
export const distributeDatabase = async (url: string, workers: readonly string[]): Promise<void> => {
  const name = new URL(url).pathname.slice(1)
  await Promise.all(workers.map(worker => runIn(worker, `create database ${name}`)))
  const add = (called: string, server: string) => {
    const { hostname, port } = new URL(server)
    return `select ${called}('${hostname}', ${port || 5432})`
  }
  for (const server of [url, ...workers])
    await runIn(urlWith(server, { database: name }), 'create extension citus')
  await runIn(
    url,
    add('citus_set_coordinator_host', url),
    ...workers.map(worker => add('citus_add_node', worker)),
    DISTRIBUTE,
  )
}

/**
 * Closes all connections to a database and allows no new ones, so that it can be copied. Citus and connection poolers
 * keep connections open.
 */
export const closeDatabase = (server: string, name: string): Promise<unknown> =>
  runIn(
    server,
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
  )
