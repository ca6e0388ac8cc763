import { Migration } from '@mikro-orm/migrations'

export class Migration20261121025315_oauth extends Migration {
  override name = 'Migration20261121025315_oauth'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "oauth_clients" ("id" text not null, "name" text not null, "redirect_uris" text[] not null, "created_at" timestamptz(3) not null, "approved_at" timestamptz(3) null, primary key ("id"));`,
    )
    this.addSql(`create index "oauth_clients_age_index" on "oauth_clients" ("approved_at", "created_at");`)

    this.addSql(
      `create table "oauth_grants" ("token_id" text collate "C" not null, "family_hash" bytea not null, "refresh_hash" bytea not null, "used_hash" bytea null, "salt" bytea null, "refreshed_at" timestamptz(3) not null, primary key ("token_id"));`,
    )
    this.addSql(
      `alter table "oauth_grants" add constraint "oauth_grants_family_hash_unique" unique ("family_hash");`,
    )

    this.addSql(
      `create table "oauth_codes" ("code_hash" bytea not null, "account_id" text collate "C" not null, "client_id" text not null, "client_name" text not null, "redirect_uri" text not null, "challenge" text not null, "scopes" text[] not null, "expires_at" timestamptz(3) not null, "token_id" text collate "C" null, primary key ("code_hash"));`,
    )
    this.addSql(`create index "oauth_codes_account_id_index" on "oauth_codes" ("account_id");`)
    this.addSql(`create index "oauth_codes_expires_at_index" on "oauth_codes" ("expires_at");`)
    this.addSql(`create index "oauth_codes_token_id_index" on "oauth_codes" ("token_id");`)

    this.addSql(`alter table "user_tokens" add "client_id" text null, add "expires_at" timestamptz(3) null;`)
    this.addSql(`create index "user_tokens_client_id_index" on "user_tokens" ("client_id");`)

    this.addSql(
      `alter table "oauth_grants" add constraint "oauth_grants_token_id_foreign" foreign key ("token_id") references "user_tokens" ("id") on update cascade on delete cascade;`,
    )

    this.addSql(
      `alter table "oauth_codes" add constraint "oauth_codes_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "oauth_codes" add constraint "oauth_codes_token_id_foreign" foreign key ("token_id") references "user_tokens" ("id") on delete cascade;`,
    )
  }
}
