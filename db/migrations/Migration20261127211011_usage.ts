import { Migration } from '@mikro-orm/migrations'

export class Migration20261127211011_usage extends Migration {
  override name = 'Migration20261127211011_usage'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "usage_days" ("credential" text collate "C" not null, "day" date not null, "key_id" text collate "C" null, "token_id" text collate "C" null, "succeeded" int not null, "refused" int not null, "limited" int not null, "failed" int not null, primary key ("credential", "day"));`,
    )
    this.addSql(`create index "usage_days_day_index" on "usage_days" ("day");`)
    this.addSql(`create index "usage_days_key_id_index" on "usage_days" ("key_id");`)
    this.addSql(`create index "usage_days_token_id_index" on "usage_days" ("token_id");`)

    this.addSql(
      `create table "failed_calls" ("position" bigserial primary key, "key_id" text collate "C" null, "token_id" text collate "C" null, "at" timestamptz(3) not null, "method" text not null, "path" text not null, "status" smallint not null, "code" text not null, "fields" text[] not null, "reference" text not null);`,
    )
    this.addSql(`create index "failed_calls_key_id_index" on "failed_calls" ("key_id");`)
    this.addSql(`create index "failed_calls_token_id_index" on "failed_calls" ("token_id");`)
    this.addSql(`create index "failed_calls_at_index" on "failed_calls" ("at");`)

    this.addSql(
      `alter table "usage_days" add constraint "usage_days_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "usage_days" add constraint "usage_days_token_id_foreign" foreign key ("token_id") references "user_tokens" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "usage_days" add constraint "usage_days_one_credential" check (num_nonnulls("key_id", "token_id") = 1);`,
    )

    this.addSql(
      `alter table "failed_calls" add constraint "failed_calls_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "failed_calls" add constraint "failed_calls_token_id_foreign" foreign key ("token_id") references "user_tokens" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "failed_calls" add constraint "failed_calls_one_credential" check (num_nonnulls("key_id", "token_id") = 1);`,
    )
  }
}
