/**
 * Selects contradictions between history and content: an item that differs from the result of its last change, a
 * change that does not start from the result of the previous one, and a change whose body or file is missing.
 */
export const HISTORY_FAULTS = `
  with live as (
    select space_id, 'page' as kind, id as thing,
      jsonb_build_object('name', slug, 'kind', kind, 'includes', includes) as fields,
      sha256(convert_to(html, 'UTF8')) as digest
    from pages
    union all
    select space_id, 'part', id, jsonb_build_object('name', name, 'includes', includes),
      sha256(convert_to(html, 'UTF8'))
    from parts
    union all
    select space_id, 'record', key,
      jsonb_build_object('name', key, 'description', description, 'version', version),
      sha256(convert_to(value, 'UTF8'))
    from data_records
    union all
    select space_id, 'file', id,
      jsonb_build_object('name', name, 'size', size), digest
    from files
    union all
    select space_id, 'space', 'icon', jsonb_build_object('size', octet_length(png)), sha256(png)
    from icons where space_id is not null
    union all
    select id, 'space', 'name', jsonb_build_object('name', name), null
    from spaces where exists (
      select from changes where space_id = spaces.id and kind = 'space' and thing = 'name'
    )
  ), ordered as (
    select space_id, kind, thing, revision, position, before_digest, after_digest,
      before - '{created_at,uploaded_by,position}'::text[] as before,
      after - '{created_at,uploaded_by,position}'::text[] as after,
      lead(revision) over thing is null as is_last,
      lag(revision) over thing is null as is_first,
      lag(after - '{created_at,uploaded_by,position}'::text[]) over thing as previous,
      lag(after_digest) over thing as previous_digest
    from changes
    window thing as (partition by space_id, kind, thing order by revision, position)
  ), stored as (
    select space_id, digest from bodies union select space_id, digest from blobs union select space_id, digest from live
  )
  select 'last' as fault, kind, thing from ordered
    full join live using (space_id, kind, thing)
    where coalesce(is_last, true)
      and (fields is distinct from after or digest is distinct from after_digest)
  union all
  select 'chain', kind, thing from ordered
    where not is_first and (previous is distinct from before or previous_digest is distinct from before_digest)
  union all
  select 'body', kind, thing from ordered
    where before_digest is not null
      and not exists (select from stored where stored.space_id = ordered.space_id and digest = before_digest)
  union all
  select 'damaged', 'bodies', encode(digest, 'hex') from bodies where digest <> sha256(convert_to(text, 'UTF8'))
  union all
  select 'damaged', 'blobs', encode(digest, 'hex') from blobs where digest <> sha256(bytes)`
