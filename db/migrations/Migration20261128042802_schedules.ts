import { Migration } from '@mikro-orm/migrations'

export class Migration20261128042802_schedules extends Migration {
  override name = 'Migration20261128042802_schedules'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "schedules" ("id" text collate "C" not null, "space_id" text collate "C" not null, "account_id" text collate "C" not null, "action" text not null, "thing" text collate "C" not null, "content" text null, "base" timestamptz(3) null, "due_at" timestamptz(3) not null, "failure" text null, primary key ("id"));`,
    )
    this.addSql(`create index "schedules_account_id_index" on "schedules" ("account_id");`)
    this.addSql(
      `create unique index "schedules_thing_unique" on "schedules" ("space_id", "thing", "action");`,
    )
    this.addSql(`create index "schedules_due_index" on "schedules" ("due_at") where "failure" is null;`)

    this.addSql(`alter table "notifications" add "schedule" text null;`)

    this.addSql(
      `alter table "schedules" add constraint "schedules_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "schedules" add constraint "schedules_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "schedules" add constraint "schedules_content_check" check (("action" = 'save') = ("content" is not null));`,
    )
    this.addSql(
      `alter table "schedules" add constraint "schedules_action_check" check ("action" in ('save', 'delete'));`,
    )
  }
}
