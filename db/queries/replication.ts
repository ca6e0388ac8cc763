import { sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql } from '../orm.ts'

/** Identifies a primary server and the timeline that it writes. PostgreSQL begins a new timeline with each failover. */
const primary = compileOnce(db =>
  db.selectNoFrom([
    sql<string>`(select system_identifier::text from pg_control_system())`.as('system'),
    sql<string>`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`.as('timeline'),
  ]),
)

const standby = compileOnce(db =>
  db.selectNoFrom([
    sql<boolean>`pg_is_in_recovery()`.as('is_standby'),
    sql<string>`(select system_identifier::text from pg_control_system())`.as('system'),
    sql<string>`(select lpad(upper(to_hex(timeline_id)), 8, '0') from pg_control_checkpoint())`.as(
      'timeline',
    ),
  ]),
)

/** Identifies the history of writes on the primary. */
export const readPrimaryIdentity = async (db: Sql) => (await primary(db))!

/** Identifies the history of writes that a standby replays. `is_standby` is false if the server is not a standby. */
export const readStandbyIdentity = async (db: Sql) => (await standby(db))!
