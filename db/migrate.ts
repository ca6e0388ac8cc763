import { sql } from 'kysely'
import type { Orm } from './orm.ts'

/** Key of an advisory lock: any number that no other lock uses. */
const MIGRATION_LOCK = 72_119_301

/**
 * Applies all pending migrations. Safe to call from many processes at once: one migrates, the others wait.
 *
 * @throws the database's error when a statement fails; that migration is rolled back
 */
export const migrate = (orm: Orm) =>
  orm.em
    .fork()
    .getKysely()
    .connection()
    .execute(async connection => {
      // This connection only holds the lock: the migrator takes another connection from the pool.
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
