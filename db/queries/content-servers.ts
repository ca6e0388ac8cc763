import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

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
