import { sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../orm.ts'
import { withHandles } from './handles.ts'
import type { ChangeRow } from './history.ts'

/** An author of changes to a space. The fields come from the author's latest change to the space. */
export type HistoryActor = Pick<
  ChangeRow,
  'actor_kind' | 'actor' | 'actor_label' | 'agent' | 'account' | 'handle' | 'at'
>

/**
 * Lists the authors of changes to a space, those with the latest changes first. Jumps in the index from one author to
 * the next, so the number of changes does not matter.
 */
export const listHistoryActors = async (db: Sql, spaceId: string, limit: number): Promise<HistoryActor[]> =>
  withHandles(db, await actorsOf(db, spaceId, limit))

const actorsOf = compileOnceRows((db, spaceId: string, limit: number) => ({
  compile: () =>
    sql<Omit<HistoryActor, 'handle'>>`
      with recursive actors (id) as (
        (select actor from writes where space_id = ${spaceId} order by actor desc limit 1)
        union all
        select (
          select actor from writes where space_id = ${spaceId} and actor < actors.id order by actor desc limit 1
        )
        from actors where actors.id is not null
      )
      select last.actor_kind, last.actor, last.actor_label, last.agent, last.at, last.account
      from (select id from actors where id is not null limit ${limit}::int) as found
      cross join lateral (
        select * from writes where space_id = ${spaceId} and actor = found.id
        order by revision desc limit 1
      ) as last
      order by last.revision desc`.compile(db),
}))
