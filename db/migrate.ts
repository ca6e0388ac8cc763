import { sql } from 'kysely'
import type { Orm } from './orm.ts'

/** Any number will do, as long as every process of this service locks the same one. */
const MIGRATION_LOCK = 72_119_301

/**
 * Brings the schema up to date. Safe to call from many processes at once: one migrates, the others wait.
 *
 * @throws whatever the database says of a statement it refuses; nothing of that migration is kept
 */
export const migrate = (orm: Orm) =>
  orm.em
    .fork()
    .getKysely()
    .connection()
    .execute(async connection => {
      // Held on a connection of its own, because the migrator runs on another one of the pool.
      await sql`set statement_timeout = 0`.execute(connection)
      await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection)
      try {
        await orm.migrator.up()
      } finally {
        await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection)
        await sql`reset statement_timeout`.execute(connection)
      }
    })

/** Whether every migration has been applied. */
export const isMigrated = async (orm: Orm) => (await orm.migrator.getPending()).length === 0
