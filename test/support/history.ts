import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/database.ts'

/** Runs statements without the triggers that record the history, for example to change the time of a change. */
export const withoutHistory = (
  db: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<unknown> =>
  db.transaction().execute(async transaction => {
    await sql`set local session_replication_role = replica`.execute(transaction)
    return work(transaction)
  })

/**
 * Selects contradictions between history and content: an item that differs from the result of its last change, a
 * change that does not start from the result of the previous one, a change without its write, and a change whose body
 * or file is missing.
 */
export const HISTORY_FAULTS = `
  with live as (
    select space_id, 'page' as kind, id as thing, to_jsonb(item) as fields, html as text,
      sha256(convert_to(html, 'UTF8')) as digest
    from pages as item
    union all
    select space_id, 'part', id, to_jsonb(item), html, sha256(convert_to(html, 'UTF8')) from parts as item
    union all
    select space_id, 'record', key, to_jsonb(item), value, sha256(convert_to(value, 'UTF8')) from data_records as item
    union all
    select space_id, 'file', id, to_jsonb(item), null, digest from files as item
    union all
    select space_id, 'space', 'icon', jsonb_build_object('size', octet_length(png)), null, sha256(png)
    from icons where space_id is not null
    union all
    select id, 'space', 'name', jsonb_build_object('name', name), null, null
    from spaces where exists (
      select from changes where space_id = spaces.id and kind = 'space' and thing = 'name'
    )
  ), ordered as (
    select *,
      lead(revision) over thing is null as is_last,
      lag(revision) over thing is null as is_first,
      lag(after) over thing as previous,
      lag(after_digest) over thing as previous_digest,
      (select body from changes as later
        where later.space_id = changes.space_id and later.kind = changes.kind and later.thing = changes.thing
          and later.revision >= changes.revision and body is not null
        order by later.revision limit 1) as kept
    from changes
    window thing as (partition by space_id, kind, thing order by revision)
  )
  select 'last' as fault, kind, thing from ordered
    full join live using (space_id, kind, thing)
    where coalesce(is_last, true)
      and (fields - '{space_id,id,key,html,value,digest,updated_at}'::text[] is distinct from after
        or digest is distinct from after_digest)
  union all
  select 'chain', kind, thing from ordered
    where not is_first and (previous is distinct from before or previous_digest is distinct from before_digest)
  union all
  select 'write', kind, thing from ordered where not exists (
    select from writes where writes.space_id = ordered.space_id and writes.revision = ordered.revision)
  union all
  select 'body', kind, thing from ordered left join live using (space_id, kind, thing)
    where before_digest is not null and kind in ('page', 'part', 'record')
      and before_digest is distinct from sha256(convert_to(coalesce(kept, text), 'UTF8'))
  union all
  select 'twice', kind, thing from ordered where body is not null and before_digest = after_digest
  union all
  select 'bytes', kind, thing from ordered
    where before_digest is not null and kind in ('file', 'space')
      and not exists (select from blobs where blobs.space_id = ordered.space_id and digest = before_digest)
      and not exists (select from live where live.space_id = ordered.space_id and live.digest = before_digest)
  union all
  select 'damaged', 'blobs', encode(digest, 'hex') from blobs where digest <> sha256(bytes)`
