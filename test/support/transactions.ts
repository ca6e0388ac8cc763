import { sql } from 'kysely'
import { vi } from 'vitest'
import { type Sql, sqlOf } from '../../db/orm.ts'
import type { World } from './world.ts'

/** Begins a transaction of the test's own, which holds what `work` has locked until it ends. */
export const hold = async (world: World, work: (db: Sql) => Promise<unknown>) => {
  const em = world.service.core.orm.em.fork()
  await em.begin()
  await work(sqlOf(em))
  return { commit: () => em.commit() }
}

/** Resolves as soon as so many statements wait for a lock of somebody else's. */
export const untilWaiting = (world: World, count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(
        sqlOf(world.service.core.orm.em.fork()),
      )
      if (rows[0]?.waiting !== count) throw new Error(`${rows[0]?.waiting} statements are waiting`)
    },
    { timeout: 10_000, interval: 20 },
  )
