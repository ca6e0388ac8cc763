import type { Client } from 'pg'

/** What a database server says about itself. */
export interface ServerFacts {
  /** Such as 150004 for 15.4. */
  version: number
  version_text: string
  now: Date
  is_replica: boolean
  max_connections: number
  /** Open connections of clients. */
  used: number
  /** Whether the server keeps what it has confirmed, even if it crashes. */
  is_durable: boolean
}

/** Returns facts about the server of a connection. */
export const serverFacts = async (client: Client): Promise<ServerFacts> => {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version_num')::int version, current_setting('server_version') version_text,
      clock_timestamp() now, pg_is_in_recovery() is_replica, current_setting('max_connections')::int max_connections,
      (select count(*)::int from pg_stat_activity where datid is not null) used,
      current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on'
        and current_setting('synchronous_commit') <> 'off' is_durable`,
  )
  return rows[0]!
}
