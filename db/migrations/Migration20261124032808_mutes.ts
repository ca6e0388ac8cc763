import { Migration } from '@mikro-orm/migrations'

export class Migration20261124032808_mutes extends Migration {
  override name = 'Migration20261124032808_mutes'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "mutes" ("muter_id" text collate "C" not null, "muted_id" text collate "C" not null, "is_block" boolean not null, "position" bigserial not null, "created_at" timestamptz(3) not null, primary key ("muter_id", "muted_id"));`,
    )
    this.addSql(`create index "mutes_muted_id_index" on "mutes" ("muted_id");`)
    this.addSql(`create index "mutes_list_index" on "mutes" ("muter_id", "created_at", "position");`)

    this.addSql(
      `alter table "mutes" add constraint "mutes_muter_id_foreign" foreign key ("muter_id") references "accounts" ("id") on update cascade on delete cascade;`,
    )
    this.addSql(
      `alter table "mutes" add constraint "mutes_muted_id_foreign" foreign key ("muted_id") references "accounts" ("id") on update cascade on delete cascade;`,
    )
    this.addSql(`alter table "mutes" add constraint "mutes_self_check" check ("muter_id" <> "muted_id");`)
  }
}
