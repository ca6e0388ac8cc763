import { sql } from 'kysely'
import type { Database, Sql } from './database.ts'
import { inTransaction } from './transaction.ts'

/** Timeout of a probe in ms. */
const TIMEOUT = 2_000

/** PostgreSQL's code for a statement that took longer than its timeout. */
const CANCELLED = '57014'

/** Probes the content servers. While one is down, the service still works for the spaces on the others. */
export class ContentServers {
  readonly #database: Database
  readonly #onChange: (server: ContentServer, isUp: boolean) => void
  #missing: readonly number[] = []

  /** @param onChange called when a server stops responding, and when it responds again */
  constructor(database: Database, onChange: (server: ContentServer, isUp: boolean) => void) {
    this.#database = database
    this.#onChange = onChange
  }

  /** The numbers of the servers that did not respond to the last probe. */
  get missing(): readonly number[] {
    return this.#missing
  }

  /** Probes all servers at the same time. @throws the error of the coordinator */
  async probe(): Promise<void> {
    const servers = await listContentServers(this.#database)
    const probed = await Promise.all(
      servers.map(async server => ({ server, isUp: await this.#responds(server) })),
    )
    const before = this.#missing
    this.#missing = probed.filter(({ isUp }) => !isUp).map(({ server }) => server.id)
    for (const { server, isUp } of probed)
      if (isUp === before.includes(server.id)) this.#onChange(server, isUp)
  }

  async #responds(server: ContentServer): Promise<boolean> {
    try {
      return await inTransaction(this.#database, sql => probeContentServer(sql, server, TIMEOUT))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === CANCELLED) return false
      throw error
    }
  }
}

/** A server that has the content of some spaces. */
export interface ContentServer {
  /** The number that Citus gave the server. */
  id: number
  host: string
  port: number
}

/** Whether the database is the coordinator of content servers. Only a coordinator has the table `pg_dist_node`. */
export const hasContentServers = async (db: Sql): Promise<boolean> => {
  const { rows } = await sql<{ yes: boolean }>`select to_regclass('pg_dist_node') is not null as yes`.execute(
    db,
  )
  return rows[0]!.yes
}

/** The servers that have the content of spaces, sorted by number. */
export const listContentServers = async (db: Sql): Promise<ContentServer[]> => {
  const { rows } =
    await sql<ContentServer>`select nodeid as id, nodename as host, nodeport as port from pg_dist_node
    where noderole = 'primary' and shouldhaveshards order by nodeid`.execute(db)
  return rows
}

/**
 * Whether the coordinator can run a statement on a server. Call it in a transaction.
 *
 * @param timeout in ms
 * @throws if the check takes longer than `timeout`: the error of the cancelled statement
 */
export const probeContentServer = async (
  db: Sql,
  { host, port }: ContentServer,
  timeout: number,
): Promise<boolean> => {
  await sql`set local statement_timeout = ${sql.lit(timeout)}`.execute(db)
  const { rows } = await sql<{ yes: boolean }>`
    select citus_check_connection_to_node(${host}::text, ${port}::int) as yes`.execute(db)
  return rows[0]!.yes
}
