import { Migration } from '@mikro-orm/migrations'

export class Migration20261122073127_connected_spaces extends Migration {
  override name = 'Migration20261122073127_connected_spaces'

  override up(): void | Promise<void> {
    this.addSql(`alter table "oauth_grants" drop constraint "oauth_grants_token_id_foreign";`)

    this.addSql(`alter table "space_keys" drop constraint "space_keys_replaced_ends";`)
    this.addSql(`alter table "space_keys" add "client_id" text null;`)
    this.addSql(`create index "space_keys_client_id_index" on "space_keys" ("client_id");`)
    this.addSql(
      `alter table "space_keys" add constraint "space_keys_replaced_ends" check ("replaced_at" is null or ("expires_at" is not null and "client_id" is null));`,
    )

    this.addSql(`alter table "oauth_grants" drop constraint "oauth_grants_family_hash_unique";`)
    this.addSql(`alter table "oauth_grants" drop constraint "oauth_grants_pkey";`)
    this.addSql(`alter table "oauth_grants" add "key_id" text collate "C" null;`)
    this.addSql(
      `alter table "oauth_grants" add constraint "oauth_grants_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade;`,
    )
    this.addSql(`alter table "oauth_grants" alter column "token_id" drop not null;`)
    this.addSql(
      `alter table "oauth_grants" add constraint "oauth_grants_token_id_foreign" foreign key ("token_id") references "user_tokens" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "oauth_grants" add constraint "oauth_grants_token_id_unique" unique ("token_id");`,
    )
    this.addSql(`alter table "oauth_grants" add constraint "oauth_grants_key_id_unique" unique ("key_id");`)
    this.addSql(`alter table "oauth_grants" add primary key ("family_hash");`)
    this.addSql(
      `alter table "oauth_grants" add constraint "oauth_grants_one_credential" check (num_nonnulls("token_id", "key_id") = 1);`,
    )

    this.addSql(
      `alter table "oauth_codes" add "participant_id" text collate "C" null, add "key_id" text collate "C" null;`,
    )
    this.addSql(
      `alter table "oauth_codes" add constraint "oauth_codes_participant_id_foreign" foreign key ("participant_id") references "participants" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "oauth_codes" add constraint "oauth_codes_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade;`,
    )
    this.addSql(`create index "oauth_codes_participant_id_index" on "oauth_codes" ("participant_id");`)
    this.addSql(`create index "oauth_codes_key_id_index" on "oauth_codes" ("key_id");`)
    this.addSql(
      `alter table "oauth_codes" add constraint "oauth_codes_credential_kind" check (("token_id" is null or "participant_id" is null) and ("key_id" is null or "participant_id" is not null));`,
    )
  }
}
