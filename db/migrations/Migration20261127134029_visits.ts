import { Migration } from '@mikro-orm/migrations'

export class Migration20261127134029_visits extends Migration {
  override name = 'Migration20261127134029_visits'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "visit_counts" ("space_id" text collate "C" not null, "day" date not null, "kind" text not null, "name" text collate "C" not null, "count" int not null, primary key ("space_id", "day", "kind", "name"));`,
    )
    this.addSql(`create index "visit_counts_day_index" on "visit_counts" ("day");`)

    this.addSql(
      `create table "visit_days" ("space_id" text collate "C" not null, "day" date not null, "views" int not null, "visitors" int not null, "is_estimate" boolean not null, "not_found" int not null, "failed" int not null, primary key ("space_id", "day"));`,
    )
    this.addSql(`create index "visit_days_day_index" on "visit_days" ("day");`)

    this.addSql(
      `create table "visit_hours" ("space_id" text collate "C" not null, "hour" timestamptz(3) not null, "views" int not null, primary key ("space_id", "hour"));`,
    )
    this.addSql(`create index "visit_hours_hour_index" on "visit_hours" ("hour");`)

    this.addSql(
      `create table "visitor_hashes" ("space_id" text collate "C" not null, "day" date not null, "hash" bigint not null, primary key ("space_id", "day", "hash"));`,
    )

    this.addSql(
      `create table "visit_salts" ("day" date not null, "salt" bytea not null, primary key ("day"));`,
    )

    this.addSql(`alter table "space_names" add "counts_visits" boolean not null default true;`)

    this.addSql(
      `alter table "visit_counts" add constraint "visit_counts_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "visit_counts" add constraint "visit_counts_kind_check" check ("kind" in ('page', 'source', 'not_found', 'failed'));`,
    )

    this.addSql(
      `alter table "visit_days" add constraint "visit_days_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )

    this.addSql(
      `alter table "visit_hours" add constraint "visit_hours_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )

    this.addSql(
      `alter table "visitor_hashes" add constraint "visitor_hashes_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )
  }
}
