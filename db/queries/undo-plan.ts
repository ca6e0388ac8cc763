import { sql } from 'kysely'
import type { Sql } from '../orm.ts'
import type { ChangeKind } from './changes.ts'
import { type ChangeFilter, type ChangePlace, type ChangeRow, isNear, matches } from './history.ts'

/** An item whose current state differs from the one before the first selected change to it. */
export interface Touched extends ChangePlace {
  kind: ChangeKind
  thing: string
  /** The item's name after the first selected change, or before the change if it deleted the item. */
  name: string | null
  /** What the undo would do: delete the item, recreate it, or restore its earlier state. */
  effect: 'delete' | 'bring_back' | 'change'
  /** The item's name before the first selected change, and now. */
  earlier_name: string | null
  current_name: string | null
  /** The id of the page or part that has the earlier name now. */
  owner: string | null
  /** The place of the item's last change. */
  newest: string
  /** Whether earlier changes of the item since the selected time are no longer kept, so that they cannot be undone. */
  trimmed: boolean
  /** The last later change that is not selected. */
  later: {
    at: string
    actor_kind: ChangeRow['actor_kind']
    actor_label: string | null
    handle: string | null
  } | null
}

/**
 * Lists the items that the selected changes touched, by kind and id, except those that already have their earlier
 * state. The history contains the current state of each item, so no bodies are read. The place of an item is that of
 * its first selected change.
 */
export const listTouched = async (
  db: Sql,
  spaceId: string,
  filter: ChangeFilter,
  limit: number,
): Promise<Touched[]> => {
  const isTrimmed = filter.since ? sql`origin.trimmed_until >= ${filter.since}::timestamptz` : sql`false`
  const { rows } = await sql<Touched>`
    with first as materialized (
      select distinct on (kind, thing) kind, thing, revision, position
      from changes as change
      where space_id = ${spaceId} and ${isNear(spaceId, filter)} and ${matches(filter, 'change')}
      order by kind, thing, revision, position
    )
    select first.kind, first.thing, first.revision, first.position,
      coalesce(origin.after ->> 'name', origin.before ->> 'name') as name,
      case when origin.before is null then 'delete' when newest.after is null then 'bring_back' else 'change' end as effect,
      origin.before ->> 'name' as earlier_name, newest.after ->> 'name' as current_name,
      case first.kind
        when 'page' then (select id from pages where space_id = ${spaceId} and slug = origin.before ->> 'name')
        when 'part' then (select id from parts where space_id = ${spaceId} and name = origin.before ->> 'name')
      end as owner,
      newest.revision || '-' || newest.position as newest,
      coalesce(${isTrimmed}, false) as trimmed,
      other.later
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
        select json_build_object('at', later.at, 'actor_kind', later.actor_kind, 'actor_label', later.actor_label,
          'handle', account.handle) as later
        from changes as later left join accounts as account on account.id = later.account
        where later.space_id = ${spaceId} and later.kind = first.kind and later.thing = first.thing
          and (later.revision, later.position) > (first.revision, first.position)
          and (${matches(filter, 'later')}) is not true
        order by later.revision desc, later.position desc
        limit 1
      ) as other on true
    where (origin.before is null) <> (newest.after is null)
      or origin.before ->> 'name' is distinct from newest.after ->> 'name'
      or origin.before ->> 'kind' is distinct from newest.after ->> 'kind'
      or origin.before ->> 'description' is distinct from newest.after ->> 'description'
      or origin.before_digest is distinct from newest.after_digest
    order by first.kind collate "C", first.thing
    limit ${limit}`.execute(db)
  return rows
}
