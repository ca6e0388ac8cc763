import { Migration } from '@mikro-orm/migrations'

export class Migration20261121000000_first extends Migration {
  override name = 'Migration20261121000000_first'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "accounts" ("id" text collate "C" not null, "handle" text not null, "password_hash" text null, "created_at" timestamptz(3) not null, primary key ("id"));`,
    )
    this.addSql(`create unique index "accounts_handle_unique" on "accounts" (lower("handle"));`)

    this.addSql(
      `create table "sessions" ("token_hash" bytea not null, "account_id" text collate "C" not null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("token_hash"));`,
    )
    this.addSql(`create index "sessions_account_id_index" on "sessions" ("account_id");`)

    this.addSql(
      `create table "sign_in_links" ("token_hash" bytea not null, "account_id" text collate "C" not null, "expires_at" timestamptz(3) not null, primary key ("token_hash"));`,
    )
    this.addSql(`create index "sign_in_links_account_id_index" on "sign_in_links" ("account_id");`)

    this.addSql(
      `create table "spaces" ("id" text collate "C" not null, "subdomain" text not null, "name" text not null, "revision" bigint not null default '1', "created_at" timestamptz(3) not null, primary key ("id"));`,
    )
    this.addSql(`alter table "spaces" add constraint "spaces_subdomain_unique" unique ("subdomain");`)

    this.addSql(
      `create table "participants" ("id" text collate "C" not null, "space_id" text collate "C" not null, "account_id" text collate "C" not null, "joined_at" timestamptz(3) not null, primary key ("id"));`,
    )
    this.addSql(`create index "participants_account_id_index" on "participants" ("account_id");`)
    this.addSql(
      `alter table "participants" add constraint "participants_space_account_unique" unique ("space_id", "account_id");`,
    )

    this.addSql(
      `create table "invites" ("id" text collate "C" not null, "token_hash" bytea not null, "inviter_id" text collate "C" not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));`,
    )
    this.addSql(`alter table "invites" add constraint "invites_token_hash_unique" unique ("token_hash");`)
    this.addSql(`create index "invites_inviter_id_index" on "invites" ("inviter_id");`)

    this.addSql(
      `create table "parts" ("space_id" text collate "C" not null, "id" text collate "C" not null, "name" text collate "C" not null, "html" text not null, "length" int not null, "includes" text[] not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("space_id", "id"));`,
    )
    this.addSql(`alter table "parts" add constraint "parts_name_unique" unique ("space_id", "name");`)

    this.addSql(
      `create table "pages" ("space_id" text collate "C" not null, "id" text collate "C" not null, "slug" text collate "C" not null, "kind" text not null, "html" text not null, "includes" text[] not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("space_id", "id"));`,
    )
    this.addSql(`create index "pages_id_index" on "pages" ("id");`)
    this.addSql(`alter table "pages" add constraint "pages_slug_unique" unique ("space_id", "slug");`)

    this.addSql(
      `create table "icons" ("id" text collate "C" not null, "space_id" text collate "C" null, "account_id" text collate "C" null, "png" bytea not null, primary key ("id"));`,
    )
    this.addSql(`alter table "icons" add constraint "icons_space_unique" unique ("space_id");`)
    this.addSql(`alter table "icons" add constraint "icons_account_unique" unique ("account_id");`)

    this.addSql(
      `create table "files" ("space_id" text collate "C" not null, "id" text collate "C" not null, "position" bigserial not null, "name" text not null, "content_type" text not null, "size" int not null, "bytes" bytea not null, "digest" bytea not null, "uploaded_by_id" text collate "C" null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("space_id", "id"));`,
    )
    // Stored out of line and uncompressed, so that a range is read without the rest. Images don't compress anyway.
    this.addSql(`alter table "files" alter column "bytes" set storage external;`)
    this.addSql(`create index "files_uploaded_by_id_index" on "files" ("uploaded_by_id");`)
    this.addSql(`create index "files_id_index" on "files" ("id");`)

    this.addSql(
      `create table "data_records" ("space_id" text collate "C" not null, "key" text collate "C" not null, "value" text not null, "size" int not null, "description" text null, "version" int not null, "updated_at" timestamptz(3) not null, primary key ("space_id", "key"));`,
    )

    this.addSql(
      `create table "space_keys" ("id" text collate "C" not null, "issuer_id" text collate "C" not null, "label" text not null, "secret_hash" bytea not null, "hint" text not null, "scopes" text[] not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, primary key ("id"));`,
    )
    this.addSql(`create index "space_keys_issuer_id_index" on "space_keys" ("issuer_id");`)
    this.addSql(
      `alter table "space_keys" add constraint "space_keys_secret_hash_unique" unique ("secret_hash");`,
    )

    this.addSql(
      `alter table "sessions" add constraint "sessions_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )

    this.addSql(
      `alter table "sign_in_links" add constraint "sign_in_links_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )

    this.addSql(
      `alter table "participants" add constraint "participants_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "participants" add constraint "participants_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )

    this.addSql(
      `alter table "invites" add constraint "invites_inviter_id_foreign" foreign key ("inviter_id") references "participants" ("id") on delete cascade;`,
    )

    this.addSql(
      `alter table "parts" add constraint "parts_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade;`,
    )

    this.addSql(
      `alter table "pages" add constraint "pages_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "pages" add constraint "pages_kind_check" check ("kind" in ('scripted', 'static'));`,
    )

    this.addSql(
      `alter table "icons" add constraint "icons_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "icons" add constraint "icons_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "icons" add constraint "icons_one_owner" check (num_nonnulls("space_id", "account_id") = 1);`,
    )

    this.addSql(
      `alter table "files" add constraint "files_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "files" add constraint "files_uploaded_by_id_foreign" foreign key ("uploaded_by_id") references "accounts" ("id") on delete set null;`,
    )

    this.addSql(
      `alter table "data_records" add constraint "data_records_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade;`,
    )

    this.addSql(
      `alter table "space_keys" add constraint "space_keys_issuer_id_foreign" foreign key ("issuer_id") references "participants" ("id") on delete cascade;`,
    )
  }
}
