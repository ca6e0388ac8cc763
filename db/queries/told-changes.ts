import { sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import { findRevision } from './delivery.ts'
import { type ChangePlace, written } from './history.ts'
import { revisionsOf } from './spaces.ts'

/**
 * The revisions of spaces. If content is distributed, leaves out those whose server does not answer. Leaves out spaces
 * that were deleted.
 */
export const listRevisions = async (
  db: Sql,
  spaceIds: readonly string[],
): Promise<{ id: string; revision: string }[]> => {
  if (!db.isDistributed) return revisionsOf(db, spaceIds)
  const found = await Promise.allSettled(spaceIds.map(id => findRevision(db, id)))
  return found.flatMap((result, n) =>
    result.status === 'fulfilled' && result.value !== undefined
      ? [{ id: spaceIds[n]!, revision: result.value }]
      : [],
  )
}

/** A change as other programs are told about it, without what it has changed. */
export type ToldChange = ChangePlace &
  Pick<Tables['writes'], 'actor_kind' | 'actor_label' | 'account' | 'agent'> & {
    at: Date
    /** The slug, name or key after the change, or before it if it deleted the item. */
    name: string | null
    was: boolean
    is: boolean
  }

/**
 * Changes in the order in which they were made.
 *
 * @param after only changes of later revisions
 * @param kind with `thing`, the place in revision `after + 1` behind which to begin; both empty for its first change
 * @param until the last revision to read
 */
export const listNextChanges = compileOnceRows(
  (db, spaceId: string, after: string, kind: string, thing: string, until: string, limit: number) => ({
    compile: () => {
      const name = (side: 'before' | 'after') => sql`change.${sql.ref(side)}`
      return sql<ToldChange>`
        select change.revision, change.kind, change.thing, write.at, write.actor_kind, write.actor_label, write.account,
          write.agent, change.before is not null as was, change.after is not null as is,
          coalesce(${name('after')}->>'slug', ${name('after')}->>'name', ${name('before')}->>'slug',
            ${name('before')}->>'name', change.thing) as name
        from ${written(spaceId)}
        where change.space_id = ${spaceId} and change.revision > ${after}::bigint and change.revision <= ${until}::bigint
          and (change.revision > ${after}::bigint + 1 or (change.kind, change.thing) > (${kind}, ${thing}))
        order by change.revision, change.kind, change.thing
        limit ${limit}::int`.compile(db)
    },
  }),
)
