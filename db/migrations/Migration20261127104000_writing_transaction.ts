import { Migration } from '@mikro-orm/migrations'

/**
 * Finds the revision of a change, and whether the change belongs to a write, in the row of the space, which costs less
 * than finding the newest of its writes. Processes that set `writes.transaction` must be stopped before it runs.
 */
export class Migration20261127104000_writing_transaction extends Migration {
  override name = 'Migration20261127104000_writing_transaction'

  override up(): void | Promise<void> {
    this.addSql(`alter table "spaces" add "transaction" xid8 null default '0';`)
    // Content is distributed; see `Space`.
    this.addSql(`
do $$ begin
  if exists (select 1 from pg_extension where extname = 'citus') and exists (
    select 1 from pg_trigger where tgrelid = 'changes'::regclass and tgname like 'truncate_trigger%'
  ) then
    update spaces set transaction = null;
  end if;
end $$;`)
    this.addSql(`alter table "writes" drop column "transaction";`)
    this.addSql(RECORD_CHANGE)
  }
}

/**
 * Records a change of a row, as part of the newest write to its space.
 *
 * - The fields are all columns but the body, so a new column needs no change here.
 * - A body is stored with the change that replaces it. A change that keeps the body stores none, so no body is stored
 *   twice: the body at any time is the one of the next change that has one, or else the one in the row.
 * - The second change of an item in the same write is added to the first one.
 * - On Citus, it runs on the shard, so it gets the kind as an argument instead of looking at the name of the table.
 */
const RECORD_CHANGE = `
create or replace function "record_change"() returns trigger language plpgsql as $$
declare
  what text := tg_argv[0];
  space text; item text; replaced text; replaced_size int := 0;
  old_fields jsonb; old_digest bytea;
  new_fields jsonb; new_digest bytea;
begin
  if what = 'record' then
    space := coalesce(new.space_id, old.space_id); item := coalesce(new.key, old.key);
    old_digest := sha256(convert_to(old.value, 'UTF8')); new_digest := sha256(convert_to(new.value, 'UTF8'));
    if old_digest is distinct from new_digest then replaced := old.value; end if;
    old.value := null; new.value := null;
  elsif what = 'file' then
    space := coalesce(new.space_id, old.space_id); item := coalesce(new.id, old.id);
    old_digest := old.digest; new_digest := new.digest;
    if old_digest <> new_digest or new_digest is null then replaced_size := old.size; end if;
  elsif what <> 'space' then
    space := coalesce(new.space_id, old.space_id); item := coalesce(new.id, old.id);
    old_digest := sha256(convert_to(old.html, 'UTF8')); new_digest := sha256(convert_to(new.html, 'UTF8'));
    if old_digest is distinct from new_digest then replaced := old.html; end if;
    old.html := null; new.html := null;
  elsif tg_argv[1] = 'name' then
    space := new.id; item := 'name';
    old_fields := jsonb_build_object('name', old.name); new_fields := jsonb_build_object('name', new.name);
  else
    space := coalesce(new.space_id, old.space_id); item := 'icon';
    -- The icon of a space that is being deleted has no history.
    if tg_op = 'DELETE' and not exists (select from space_names where id = space) then return null; end if;
    old_digest := sha256(old.png); new_digest := sha256(new.png);
    if tg_op <> 'INSERT' then
      old_fields := jsonb_build_object('size', octet_length(old.png));
      if old_digest is distinct from new_digest then replaced_size := octet_length(old.png); end if;
    end if;
    if tg_op <> 'DELETE' then new_fields := jsonb_build_object('size', octet_length(new.png)); end if;
  end if;
  if replaced is not null then replaced_size := octet_length(replaced); end if;

  if what <> 'space' then
    if tg_op <> 'INSERT' then old_fields := to_jsonb(old) - '{space_id,id,key,html,value,digest,updated_at}'::text[]; end if;
    if tg_op <> 'DELETE' then new_fields := to_jsonb(new) - '{space_id,id,key,html,value,digest,updated_at}'::text[]; end if;
  end if;
  if old_digest is not distinct from new_digest and old_fields = new_fields then return null; end if;

  insert into changes as change
    (space_id, kind, thing, revision, before, before_digest, body, size, after, after_digest)
    select id, what, item, revision, old_fields, old_digest, replaced, replaced_size, new_fields, new_digest
    from spaces where id = space and (transaction is null or transaction = pg_current_xact_id())
    on conflict (space_id, kind, thing, revision) do update set
      body = case when change.before is null then null else coalesce(change.body, excluded.body) end,
      size = case when change.before is null then 0 else greatest(change.size, excluded.size) end,
      after = excluded.after, after_digest = excluded.after_digest;
  -- The icon of an account belongs to no space. Content that is deleted with its space has no history.
  if not found and exists (select from spaces where id = space) then
    raise exception 'The content of a space was changed outside of a write';
  end if;
  return null;
end $$;`
