import { sql } from 'kysely'
import { vi } from 'vitest'
import { type Sql, sqlOf } from '../../db/orm.ts'
import type { World } from './world.ts'

/** Begins a transaction in which `work` locks rows. It holds the locks until it ends. */
export const hold = async (world: World, work: (db: Sql) => Promise<unknown>) => {
  const em = world.service.core.orm.em.fork()
  await em.begin()
  await work(em.getKysely())
  return {
    /** Runs more statements in the transaction. */
    run: <T>(more: (db: Sql) => Promise<T>) => more(em.getKysely()),
    commit: () => em.commit(),
    rollback: () => em.rollback(),
  }
}

/** Runs calls concurrently: holds the lock of their space until they wait for it. */
export const atOnceInSpace = <T>(
  world: World,
  subdomain: string,
  calls: (() => Promise<T>)[],
): Promise<T[]> =>
  atOnce(world, calls, db =>
    db.selectFrom('spaces').where('subdomain', '=', subdomain).select('id').forUpdate().execute(),
  )

/** Runs calls concurrently: holds the lock of their account until they wait for it. */
export const atOnceAs = <T>(world: World, handle: string, calls: (() => Promise<T>)[]): Promise<T[]> =>
  atOnce(world, calls, db =>
    db.selectFrom('accounts').where('handle', '=', handle).select('id').forUpdate().execute(),
  )

const atOnce = async <T>(world: World, calls: (() => Promise<T>)[], lock: (db: Sql) => Promise<unknown>) => {
  const held = await hold(world, lock)
  const answers = Promise.all(calls.map(call => call()))
  try {
    // The first waits in the database; the others queue behind it in the process.
    await untilWaiting(world, 1)
  } finally {
    await held.commit()
  }
  return answers
}

/** Resolves once at least `count` statements wait for a lock. */
export const untilWaiting = (world: World, count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(
        sqlOf(world.service.core.orm),
      )
      const { waiting } = rows[0]!
      if (waiting < count) throw new Error(`${waiting} of ${count} statements are waiting`)
    },
    { timeout: 10_000, interval: 20 },
  )
