import { Migration } from '@mikro-orm/migrations'

/**
 * Lets triggers record the history. Processes of earlier versions record it themselves, into columns that this
 * migration drops, so stop all of them before it runs.
 */
export class Migration20261127064500_written_history extends Migration {
  override name = 'Migration20261127064500_written_history'

  override up(): void | Promise<void> {
    this.addSql(`
do $$ begin
  if exists (select 1 from pg_extension where extname = 'citus') and exists (
    select 1 from pg_trigger where tgrelid = 'changes'::regclass and tgname like 'truncate_trigger%'
  ) then
    raise exception 'Content is distributed. Undistribute its tables before this update, and distribute them again after it; see docs/scaling.md.';
  end if;
end $$;`)

    this.addSql(`alter table "changes" rename to "old_changes";`)
    this.addSql(`alter index "changes_pkey" rename to "old_changes_pkey";`)

    this.addSql(
      `create table "writes" ("space_id" text collate "C" not null, "revision" bigint not null, "at" timestamptz(3) not null, "cause" text not null, "operation" text collate "C" null, "actor_kind" text not null, "actor" text collate "C" not null, "actor_label" text null, "account" text collate "C" not null, "agent" text null, "transaction" xid8 null, primary key ("space_id", "revision"));`,
    )
    this.addSql(
      `create table "changes" ("space_id" text collate "C" not null, "kind" text collate "C" not null, "thing" text collate "C" not null, "revision" bigint not null, "before" jsonb null, "before_digest" bytea null, "body" text null, "size" int not null, "after" jsonb null, "after_digest" bytea null, primary key ("space_id", "kind", "thing", "revision"));`,
    )

    // An operation changes each item once. Every other earlier change becomes a write of its own, because several writes
    // could share a revision. The new revisions have the same order.
    this.addSql(`
create temporary table "numbered" on commit drop as
  select *, sum(case when operation is null or operation is distinct from previous then 1 else 0 end)
    over (partition by space_id order by revision, position) as number
  from (select *, lag(operation) over (partition by space_id order by revision, position) as previous from old_changes) as change;`)
    this.addSql(`
insert into writes (space_id, revision, at, cause, operation, actor_kind, actor, actor_label, account, agent)
  select distinct on (space_id, number)
    space_id, number, at, cause, operation, actor_kind, actor, actor_label, account, agent
  from numbered order by space_id, number, position;`)
    const fields = (side: string) => `
    case kind
      when 'page' then ${side} - 'name' || jsonb_build_object('slug', ${side} -> 'name')
      when 'record' then ${side} - 'name'
      when 'file' then ${side} - 'uploaded_by' || jsonb_build_object('uploaded_by_id', ${side} -> 'uploaded_by')
      else ${side}
    end`
    this.addSql(`
insert into changes (space_id, kind, thing, revision, before, before_digest, body, size, after, after_digest)
  select change.space_id, kind, thing, number, ${fields('before')}, before_digest, body.text,
    coalesce(body.size, case when before_digest is distinct from after_digest then (before ->> 'size')::int end, 0),
    ${fields('after')}, after_digest
  from numbered as change left join bodies as body
    on body.space_id = change.space_id and digest = before_digest and before_digest is distinct from after_digest;`)
    this.addSql(`
update spaces set revision = greatest(spaces.revision, newest.revision)
  from (select space_id, max(revision) as revision from writes group by space_id) as newest
  where spaces.id = newest.space_id;`)
    this.addSql(`drop table "old_changes", "bodies";`)
    this.addSql(`alter table "blobs" drop column "incompressible";`)

    this.addSql(`create index "writes_actor_index" on "writes" ("space_id", "actor", "revision");`)
    this.addSql(
      `create index "writes_operation_index" on "writes" ("space_id", "operation") where "operation" is not null;`,
    )
    this.addSql(`create index "changes_revision_index" on "changes" ("space_id", "revision");`)

    // The default compression of PostgreSQL takes most of the time of writing a long body. The embedded server has no
    // other one.
    this.addSql(`
do $$ begin
  alter table pages alter column html set compression lz4;
  alter table parts alter column html set compression lz4;
  alter table data_records alter column value set compression lz4;
  alter table changes alter column body set compression lz4;
exception when feature_not_supported then null;
end $$;`)

    this.addSql(RECORD_CHANGE)
    for (const [table, args] of [
      ['pages', "'page'"],
      ['parts', "'part'"],
      ['data_records', "'record'"],
      ['files', "'file'"],
      ['icons', "'space', 'icon'"],
    ])
      this.addSql(
        `create trigger "record_change" after insert or update or delete on "${table}" for each row execute function "record_change"(${args});`,
      )
    this.addSql(
      `create trigger "record_change" after update of "name" on "spaces" for each row when (old."name" <> new."name") execute function "record_change"('space', 'name');`,
    )
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
  space text; item text; written record;
  old_fields jsonb; old_digest bytea; old_body text; old_size int := 0;
  new_fields jsonb; new_digest bytea;
begin
  if tg_op <> 'INSERT' then
    if what = 'record' then
      space := old.space_id; item := old.key; old_body := old.value; old.value := null;
    elsif what = 'file' then
      space := old.space_id; item := old.id; old_digest := old.digest; old_size := old.size; old.digest := null;
    elsif what <> 'space' then
      space := old.space_id; item := old.id; old_body := old.html; old.html := null;
    elsif tg_argv[1] = 'name' then
      space := old.id; item := 'name'; old_fields := jsonb_build_object('name', old.name);
    else
      space := old.space_id; item := 'icon'; old_digest := sha256(old.png); old_size := octet_length(old.png);
      old_fields := jsonb_build_object('size', old_size);
    end if;
    if old_fields is null then old_fields := to_jsonb(old) - '{space_id,id,key,html,value,digest,updated_at}'::text[]; end if;
    if old_body is not null then
      old_digest := sha256(convert_to(old_body, 'UTF8')); old_size := octet_length(old_body);
    end if;
  end if;

  if tg_op <> 'DELETE' then
    if what = 'record' then
      space := new.space_id; item := new.key; new_digest := sha256(convert_to(new.value, 'UTF8')); new.value := null;
    elsif what = 'file' then
      space := new.space_id; item := new.id; new_digest := new.digest; new.digest := null;
    elsif what <> 'space' then
      space := new.space_id; item := new.id; new_digest := sha256(convert_to(new.html, 'UTF8')); new.html := null;
    elsif tg_argv[1] = 'name' then
      space := new.id; item := 'name'; new_fields := jsonb_build_object('name', new.name);
    else
      space := new.space_id; item := 'icon'; new_digest := sha256(new.png);
      new_fields := jsonb_build_object('size', octet_length(new.png));
    end if;
    if new_fields is null then new_fields := to_jsonb(new) - '{space_id,id,key,html,value,digest,updated_at}'::text[]; end if;
  end if;

  -- The icon of an account belongs to no space. Content that is deleted with its space has no history.
  if space is null then return null; end if;
  if tg_op = 'DELETE' then
    if what = 'space' then
      if not exists (select from space_names where id = space) then return null; end if;
    elsif not exists (select from spaces where id = space) then return null;
    end if;
  end if;
  if old_digest is not distinct from new_digest then
    if old_fields = new_fields then return null; end if;
    old_body := null; old_size := 0;
  end if;

  select revision, transaction into written from writes where space_id = space order by revision desc limit 1;
  if written.revision is null or written.transaction <> pg_current_xact_id() then
    raise exception 'The content of a space was changed outside of a write';
  end if;
  insert into changes as change
    (space_id, kind, thing, revision, before, before_digest, body, size, after, after_digest)
    values (space, what, item, written.revision, old_fields, old_digest, old_body, old_size, new_fields, new_digest)
    on conflict (space_id, kind, thing, revision) do update set
      body = case when change.before is null then null else coalesce(change.body, excluded.body) end,
      size = case when change.before is null then 0 else greatest(change.size, excluded.size) end,
      after = excluded.after, after_digest = excluded.after_digest;
  return null;
end $$;`
