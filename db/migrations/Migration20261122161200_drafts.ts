import { Migration } from '@mikro-orm/migrations'

export class Migration20261122161200_drafts extends Migration {
  override name = 'Migration20261122161200_drafts'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "drafts" ("id" text collate "C" not null, "account_id" text collate "C" not null, "space_id" text collate "C" null, "kind" text not null, "thing" text collate "C" not null, "is_new" boolean not null, "content" text not null, "size" int not null, "shared_until" timestamptz(3) null, "updated_at" timestamptz(3) not null, primary key ("id"));`,
    )
    this.addSql(
      `create unique index "drafts_thing_unique" on "drafts" ("account_id", coalesce("space_id", ''), "kind", "thing");`,
    )
    this.addSql(`create index "drafts_space_index" on "drafts" ("space_id", "kind", "thing");`)
    this.addSql(`create index "drafts_updated_index" on "drafts" ("updated_at");`)

    this.addSql(
      `alter table "drafts" add constraint "drafts_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "drafts" add constraint "drafts_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "drafts" add constraint "drafts_kind_check" check ("kind" in ('page', 'part', 'record', 'post'));`,
    )
  }
}
