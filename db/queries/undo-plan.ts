import { type RawBuilder, sql } from 'kysely'
import type { Sql } from '../database.ts'
import {
  type ChangeFilter,
  type ChangePlace,
  type ChangeRow,
  isNear,
  matches,
  withHandles,
} from './history.ts'
import { NOT_COMPARED } from './item-rows.ts'

/**
 * An item whose current state differs from its state before the first selected change. The place is that of this
 * change.
 */
export interface Touched extends ChangePlace {
  /** What the undo would do: delete the item, recreate it, or restore its earlier state. */
  effect: 'delete' | 'bring_back' | 'change'
  /** The item's name before the first selected change. */
  earlier_name: string | null
  current_name: string | null
  /** The id of the page or part whose current name is `earlier_name`; null if there is none. */
  owner: string | null
  /** The revision of the item's last change. */
  newest: string
  /**
   * Whether changes of the item from before the first selected one were deleted from the history. Some of them may
   * belong to the selection.
   */
  trimmed: boolean
  /** The undo can also discard unselected changes of the item. This is the latest of them; null if there are none. */
  later: Pick<ChangeRow, 'at' | 'actor_kind' | 'actor_label' | 'handle'> | null
}

type LaterRow = Pick<ChangeRow, 'actor_kind' | 'actor_label' | 'account'> & { at: string }

/** A side of a change, for comparing it with another one: what can differ between two states of an item. */
const stateOf = (change: string, side: 'before' | 'after') => sql`
  (${sql.ref(`${change}.${side}`)} - ${sql.lit(`{${NOT_COMPARED.join()}}`)}::text[], ${sql.ref(`${change}.${side}_digest`)})`

const nameIn = (fields: RawBuilder<unknown>, thing: RawBuilder<unknown>) => sql`
  coalesce(${fields} ->> 'slug', ${fields} ->> 'name', case when ${fields} is not null then ${thing} end)`

/**
 * Lists the items that the selected changes touched, sorted by kind and id. Leaves out items that already have
 * their earlier state. Reads no bodies, because each change has the digests of both.
 *
 * An undo also discards later changes that are not selected, such as changes by other people. `later` is the latest of
 * these changes. Changes that have already been reverted do not count.
 *
 * To find reverted changes, the query divides the changes of an item into runs. A run is one selected change and the
 * unselected changes that follow it. If the item's state at the end of a run equals the state directly after the
 * selected change, the unselected changes of the run have been reverted.
 */
export const listTouched = async (
  db: Sql,
  spaceId: string,
  filter: ChangeFilter,
  limit: number,
): Promise<Touched[]> => {
  const ofItem = (alias: string) => sql`${sql.ref(`${alias}.space_id`)} = ${spaceId}
    and ${sql.ref(`${alias}.kind`)} = first.kind and ${sql.ref(`${alias}.thing`)} = first.thing`
  const later = sql`changes as later join writes as later_write
    on later_write.space_id = later.space_id and later_write.revision = later.revision
    where ${ofItem('later')} and later_write.space_id = ${spaceId} and later.revision >= first.revision`
  // The id of an operation can be null.
  const isSelected = sql`(${matches(filter, 'later', 'later_write')}) is true`
  const { rows } = await sql<Omit<Touched, 'later'> & { later: LaterRow | null }>`
    with first as materialized (
      select change.kind, change.thing, min(change.revision) as revision
      from writes as write join changes as change
        on change.space_id = write.space_id and change.revision = write.revision
      where write.space_id = ${spaceId} and change.space_id = ${spaceId} and ${isNear(spaceId, filter, 'write')}
        and ${matches(filter)}
      group by change.kind, change.thing
    )
    select first.kind, first.thing, first.revision,
      case when origin.before is null then 'delete' when newest.after is null then 'bring_back' else 'change' end as effect,
      ${nameIn(sql`origin.before`, sql`first.thing`)} as earlier_name,
      ${nameIn(sql`newest.after`, sql`first.thing`)} as current_name,
      case first.kind
        when 'page' then (select id from pages where space_id = ${spaceId} and slug = origin.before ->> 'slug')
        when 'part' then (select id from parts where space_id = ${spaceId} and name = origin.before ->> 'name')
      end as owner,
      newest.revision as newest,
      origin.before is not null and first.kind <> 'space' and not exists (
        select 1 from changes as earlier where ${ofItem('earlier')} and earlier.revision < first.revision
      ) as trimmed,
      lost.later
    from first
      join changes as origin on ${ofItem('origin')} and origin.revision = first.revision
      cross join lateral (
        select * from changes as change where ${ofItem('change')} order by revision desc limit 1
      ) as newest
      left join lateral (
        select true as is_there from ${later} and (${isSelected}) = false limit 1
      ) as other on true
      left join lateral (
        select json_build_object('at', at, 'actor_kind', actor_kind, 'actor_label', actor_label,
          'account', account) as later
        from (
          select *, first_value(state) over run as run_start, last_value(state) over run as run_end
          from (
            select later.revision, later_write.at, later_write.actor_kind, later_write.actor_label,
              later_write.account, row_to_json(row${stateOf('later', 'after')})::jsonb as state,
              ${isSelected} as is_selected,
              count(*) filter (where ${isSelected}) over (order by later.revision) as run
            from ${later}
          ) as later
          window run as (
            partition by run order by revision rows between unbounded preceding and unbounded following)
        ) as later
        where not is_selected and run_start <> run_end
        order by revision desc
        limit 1
      ) as lost on other.is_there
    where (origin.before is null) <> (newest.after is null)
      or ${stateOf('origin', 'before')} is distinct from ${stateOf('newest', 'after')}
    order by first.kind, first.thing
    limit ${limit}`.execute(db)
  const handles = await withHandles(
    db,
    rows.flatMap(({ later: found }) => found ?? []),
  )
  return rows.map(row => {
    if (!row.later) return { ...row, later: null }
    const { at, actor_kind, actor_label, handle } = handles.shift()!
    return { ...row, later: { at: new Date(at), actor_kind, actor_label, handle } }
  })
}
