import { sql } from 'kysely'
import type { Sql } from '../orm.ts'
import type { ChangeKind } from './changes.ts'
import { withHandles } from './handles.ts'
import { type ChangeFilter, type ChangePlace, type ChangeRow, isNear, matches } from './history.ts'

/** An item whose current state differs from its state before the first selected change. */
export interface Touched extends ChangePlace {
  kind: ChangeKind
  thing: string
  /** What the undo would do: delete the item, recreate it, or restore its earlier state. */
  effect: 'delete' | 'bring_back' | 'change'
  /** The item's name before the first selected change. */
  earlier_name: string | null
  current_name: string | null
  /** The id of the page or part whose current name is `earlier_name`; null if there is none. */
  owner: string | null
  /** The place of the item's last change. */
  newest: string
  /**
   * Whether the history has lost some changes that were made to the item after the selected time. The lost changes
   * cannot be undone.
   */
  trimmed: boolean
  /**
   * Whether all selected changes of the item were deleted from the history. If so, `revision` and `position` are
   * those of the oldest change that is left.
   */
  is_lost: boolean
  /** The undo can also discard unselected changes of the item. This is the latest of them; null if there are none. */
  later: Pick<ChangeRow, 'at' | 'actor_kind' | 'actor_label' | 'handle'> | null
}

type LaterRow = Pick<ChangeRow, 'actor_kind' | 'actor_label' | 'account'> & { at: string }

/** The state of an item after a change, without the fields that every write changes. Used to compare two states. */
const stateOf = (change: string) => {
  const column = (name: string) => sql.ref(`${change}.${name}`)
  return sql`jsonb_build_array(${column('after')} ->> 'name', ${column('after')} ->> 'kind',
    ${column('after')} ->> 'description', encode(${column('after_digest')}, 'hex'))`
}

/**
 * Whether selected changes of an item were deleted from the history. The item's oldest remaining change lists the
 * actors and operations of the deleted changes in `trimmed_by`.
 */
const isLost = ({ operation, actor, since, thing }: ChangeFilter) => {
  const by = operation ?? actor
  if (by === undefined) return sql`false`
  const at = sql`(trimmed_by ->> ${by})::timestamptz`
  return sql`${at} >= ${since ?? '-infinity'}::timestamptz
    ${thing === undefined ? sql`` : sql`and thing = ${thing}`}`
}

/**
 * Lists the items that the selected changes touched, sorted by kind and id. Leaves out items that already have
 * their earlier state. The `revision` and `position` of an item are those of the item's first selected change. Reads no
 * bodies, because the history also contains the current state of each item.
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
  const isFrom = sql`later.space_id = ${spaceId} and later.kind = first.kind and later.thing = first.thing
    and (later.revision, later.position) >= (first.revision, first.position)`
  const isTrimmed = filter.since ? sql`origin.trimmed_until >= ${filter.since}::timestamptz` : sql`false`
  const { rows } = await sql<Omit<Touched, 'later'> & { later: LaterRow | null }>`
    with selected as materialized (
      select distinct on (kind, thing) kind, thing, revision, position
      from changes as change
      where space_id = ${spaceId} and ${isNear(spaceId, filter)} and ${matches(filter, 'change')}
      order by kind, thing, revision, position
    ), first as materialized (
      select *, false as is_lost from selected
      union all
      select kind, thing, revision, position, true
      from changes as oldest
      where space_id = ${spaceId} and trimmed_until is not null and kind = any(${filter.kinds}) and ${isLost(filter)}
        and not exists (select 1 from selected where kind = oldest.kind and thing = oldest.thing)
    )
    select first.kind, first.thing, first.revision, first.position,
      case when origin.before is null then 'delete' when newest.after is null then 'bring_back' else 'change' end as effect,
      origin.before ->> 'name' as earlier_name, newest.after ->> 'name' as current_name,
      case first.kind
        when 'page' then (select id from pages where space_id = ${spaceId} and slug = origin.before ->> 'name')
        when 'part' then (select id from parts where space_id = ${spaceId} and name = origin.before ->> 'name')
      end as owner,
      newest.revision || '-' || newest.position as newest,
      coalesce(${isTrimmed}, false) as trimmed, first.is_lost,
      lost.later
    from first
      join changes as origin
        on origin.space_id = ${spaceId} and origin.revision = first.revision and origin.position = first.position
      cross join lateral (
        select revision, position, after, after_digest from changes
        where space_id = ${spaceId} and kind = first.kind and thing = first.thing
        order by revision desc, position desc
        limit 1
      ) as newest
      left join lateral (
        select true as is_there from changes as later
        where ${isFrom} and (${matches(filter, 'later')}) is not true
        limit 1
      ) as other on true
      left join lateral (
        select json_build_object('at', later.at, 'actor_kind', later.actor_kind,
          'actor_label', later.actor_label, 'account', later.account) as later
        from (
          select *, first_value(state) over run as run_start, last_value(state) over run as run_end
          from (
            select later.*, ${stateOf('later')} as state, (${matches(filter, 'later')}) is true as is_selected,
              count(*) filter (where ${matches(filter, 'later')}) over (order by revision, position) as run
            from changes as later where ${isFrom}
          ) as later
          window run as (
            partition by run order by revision, position
            rows between unbounded preceding and unbounded following)
        ) as later
        where not later.is_selected and later.run_start <> later.run_end
        order by later.revision desc, later.position desc
        limit 1
      ) as lost on other.is_there and not first.is_lost
    where first.is_lost
      or (origin.before is null) <> (newest.after is null)
      or origin.before ->> 'name' is distinct from newest.after ->> 'name'
      or origin.before ->> 'kind' is distinct from newest.after ->> 'kind'
      or origin.before ->> 'description' is distinct from newest.after ->> 'description'
      or origin.before_digest is distinct from newest.after_digest
    order by first.kind collate "C", first.thing
    limit ${limit}`.execute(db)
  const later = await withHandles(
    db,
    rows.flatMap(({ later: found }) => found ?? []),
  )
  return rows.map(row => {
    if (!row.later) return { ...row, later: null }
    const { at, actor_kind, actor_label, handle } = later.shift()!
    return { ...row, later: { at: new Date(at), actor_kind, actor_label, handle } }
  })
}
