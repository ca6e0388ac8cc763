import { sql } from 'kysely'
import { vi } from 'vitest'
import { type Sql, sqlOf } from '../../db/orm.ts'
import type { World } from './world.ts'

/** Begins a transaction of the test's own, which holds what `work` has locked until it ends. */
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

/** Lets calls wait for the lock of a space until all of them do, so that they come at the same moment. */
export const atOnceInSpace = <T>(
  world: World,
  subdomain: string,
  calls: (() => Promise<T>)[],
): Promise<T[]> =>
  atOnce(world, calls, db =>
    db.selectFrom('spaces').where('subdomain', '=', subdomain).select('id').forUpdate().execute(),
  )

/** The same with the lock of an account. */
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

/** Resolves as soon as so many statements wait for a lock of somebody else's. */
export const untilWaiting = (world: World, count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(
        sqlOf(world.service.core.orm),
      )
      if (rows[0]?.waiting !== count) throw new Error(`${rows[0]?.waiting} statements are waiting`)
    },
    { timeout: 10_000, interval: 20 },
  )
