import { Migration } from '@mikro-orm/migrations'

export class Migration20261127203820_kept_answers extends Migration {
  override name = 'Migration20261127203820_kept_answers'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "kept_answers" ("digest" bytea not null, "key_id" text collate "C" null, "token_id" text collate "C" null, "request" bytea not null, "answer" text not null, "created_at" timestamptz(3) not null, primary key ("digest"));`,
    )
    this.addSql(`create index "kept_answers_created_at_index" on "kept_answers" ("created_at");`)
    this.addSql(`create index "kept_answers_key_index" on "kept_answers" ("key_id", "created_at");`)
    this.addSql(`create index "kept_answers_token_index" on "kept_answers" ("token_id", "created_at");`)

    this.addSql(
      `alter table "kept_answers" add constraint "kept_answers_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "kept_answers" add constraint "kept_answers_token_id_foreign" foreign key ("token_id") references "user_tokens" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "kept_answers" add constraint "kept_answers_one_credential" check (num_nonnulls("key_id", "token_id") = 1);`,
    )
  }
}
