import { Migration } from '@mikro-orm/migrations'

export class Migration20261121180435_signing_in extends Migration {
  override name = 'Migration20261121180435_signing_in'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "passkeys" ("id" text collate "C" not null, "account_id" text collate "C" not null, "credential_id" text not null, "public_key" bytea not null, "counter" bigint not null, "transports" text[] not null, "backed_up" boolean not null, "label" text not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, primary key ("id"));`,
    )
    this.addSql(`create index "passkeys_account_id_index" on "passkeys" ("account_id");`)
    this.addSql(
      `alter table "passkeys" add constraint "passkeys_credential_id_unique" unique ("credential_id");`,
    )

    this.addSql(
      `create table "passkey_challenges" ("challenge" text not null, "purpose" text not null, "account_id" text collate "C" null, "expires_at" timestamptz(3) not null, primary key ("challenge"));`,
    )
    this.addSql(`create index "passkey_challenges_account_id_index" on "passkey_challenges" ("account_id");`)
    this.addSql(`create index "passkey_challenges_expires_at_index" on "passkey_challenges" ("expires_at");`)

    this.addSql(
      `create table "recovery_codes" ("account_id" text collate "C" not null, "code_hash" bytea not null, "created_at" timestamptz(3) not null, primary key ("account_id", "code_hash"));`,
    )

    // Existing sessions stay valid: their ids are derived from their hashes, in the alphabet of ids.
    this.addSql(
      `alter table "sessions" add "id" text collate "C" null, add "user_agent" text null, add "confirmed_at" timestamptz(3) null, add "may_reset_until" timestamptz(3) null;`,
    )
    this.addSql(
      `update "sessions" set "id" = translate(left(encode(sha256("token_hash"), 'hex'), 16), '01', 'gh'), "confirmed_at" = "created_at";`,
    )
    this.addSql(
      `alter table "sessions" alter column "id" set not null, alter column "confirmed_at" set not null;`,
    )
    this.addSql(`alter table "sessions" add constraint "sessions_id_unique" unique ("id");`)
    this.addSql(
      `alter table "sessions" add constraint "sessions_user_agent_length" check (char_length("user_agent") <= 300);`,
    )

    this.addSql(`alter table "sign_in_links" add "purpose" text not null default 'sign_in';`)
    this.addSql(`alter table "sign_in_links" alter column "purpose" drop default;`)
    this.addSql(`alter table "sign_in_links" alter column "account_id" drop not null;`)
    this.addSql(`create index "sign_in_links_expires_at_index" on "sign_in_links" ("expires_at");`)
    this.addSql(
      `alter table "sign_in_links" add constraint "sign_in_links_purpose" check ("purpose" in ('sign_in', 'reset', 'set_up') and ("purpose" = 'set_up') = ("account_id" is null));`,
    )

    this.addSql(`alter table "space_keys" add "expires_at" timestamptz(3) null;`)

    this.addSql(
      `alter table "passkeys" add constraint "passkeys_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )

    this.addSql(
      `alter table "passkey_challenges" add constraint "passkey_challenges_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "passkey_challenges" add constraint "passkey_challenges_purpose" check ("purpose" in ('register', 'sign_in', 'confirm') and ("purpose" = 'sign_in') = ("account_id" is null));`,
    )

    this.addSql(
      `alter table "recovery_codes" add constraint "recovery_codes_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )
  }
}
