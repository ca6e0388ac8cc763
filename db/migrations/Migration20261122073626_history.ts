import { Migration } from '@mikro-orm/migrations'

export class Migration20261122073626_history extends Migration {
  override name = 'Migration20261122073626_history'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "changes" ("space_id" text collate "C" not null, "revision" bigint not null, "position" int not null, "at" timestamptz(3) not null, "kind" text not null, "thing" text collate "C" not null, "action" text not null, "cause" text not null, "operation" text collate "C" null, "before" jsonb null, "after" jsonb null, "before_digest" bytea null, "after_digest" bytea null, "actor_kind" text not null, "actor" text collate "C" not null, "actor_label" text null, "account" text collate "C" not null, "agent" text null, primary key ("space_id", "revision", "position"));`,
    )
    this.addSql(
      `create index "changes_thing_index" on "changes" ("space_id", "kind", "thing", "revision", "position");`,
    )
    this.addSql(
      `create index "changes_actor_index" on "changes" ("space_id", "actor", "revision", "position");`,
    )

    this.addSql(
      `create table "bodies" ("space_id" text collate "C" not null, "digest" bytea not null, "text" text not null, "size" int not null, primary key ("space_id", "digest"));`,
    )

    this.addSql(
      `create table "blobs" ("space_id" text collate "C" not null, "digest" bytea not null, "bytes" bytea not null, "size" int not null, primary key ("space_id", "digest"));`,
    )

    this.addSql(`alter table "blobs" alter column "bytes" set storage external;`)
    this.addSql(
      `insert into "blobs" ("space_id", "digest", "bytes", "size") select distinct on ("space_id", "digest") "space_id", "digest", "bytes", "size" from "files" order by "space_id", "digest";`,
    )
    this.addSql(`alter table "files" drop column "bytes";`)
    this.addSql(`create index "files_digest_index" on "files" ("space_id", "digest");`)

    this.addSql(
      `alter table "changes" add constraint "changes_kind_check" check ("kind" in ('page', 'part', 'record', 'file', 'space'));`,
    )
    this.addSql(
      `alter table "changes" add constraint "changes_action_check" check ("action" in ('create', 'change', 'rename', 'delete'));`,
    )
    this.addSql(
      `alter table "changes" add constraint "changes_cause_check" check ("cause" in ('write', 'restore', 'undo', 'import'));`,
    )
    this.addSql(
      `alter table "changes" add constraint "changes_actor_kind_check" check ("actor_kind" in ('space_key', 'user_token', 'session'));`,
    )
  }
}
