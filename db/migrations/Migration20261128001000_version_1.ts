import { Migration } from '@mikro-orm/migrations'
import { recordChange } from './record-change.ts'

/** Creates the tables of version 1.0.0. A database of an earlier version is refused; see `requireVersion1`. */
export class Migration20261128001000_version_1 extends Migration {
  override name = 'Migration20261128001000_version_1'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "spaces" ("id" text collate "C" not null, "subdomain" text not null, "name" text not null, "revision" bigint not null default '1', "created_at" timestamptz(3) not null, "transaction" xid8 null default '0', "main_host" text null, primary key ("id"));`,
    )
    this.addSql(
      `create table "pages" ("space_id" text collate "C" not null, "id" text collate "C" not null, "slug" text collate "C" not null, "kind" text not null, "html" text not null, "includes" text[] not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("space_id", "id"), constraint "pages_slug_unique" unique ("space_id", "slug"), constraint "pages_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade);`,
    )
    this.addSql(
      `alter table "pages" add constraint "pages_kind_check" check ("kind" in ('scripted', 'static'));`,
    )
    this.addSql(
      `create table "parts" ("space_id" text collate "C" not null, "id" text collate "C" not null, "name" text collate "C" not null, "html" text not null, "length" int not null, "includes" text[] not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("space_id", "id"), constraint "parts_name_unique" unique ("space_id", "name"), constraint "parts_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade);`,
    )
    this.addSql(
      `create table "data_records" ("space_id" text collate "C" not null, "key" text collate "C" not null, "value" text not null, "size" int not null, "description" text null, "version" int not null, "updated_at" timestamptz(3) not null, primary key ("space_id", "key"), constraint "data_records_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade);`,
    )
    this.addSql(
      `create table "files" ("space_id" text collate "C" not null, "id" text collate "C" not null, "position" bigserial not null, "name" text not null, "content_type" text not null, "size" int not null, "digest" bytea not null, "uploaded_by_id" text collate "C" null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("space_id", "id"), constraint "files_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade);`,
    )
    this.addSql(`create index "files_uploaded_by_id_index" on "files" ("uploaded_by_id");`)
    this.addSql(`create index "files_digest_index" on "files" ("space_id", "digest");`)
    this.addSql(
      `create table "blobs" ("space_id" text collate "C" not null, "digest" bytea not null, "bytes" bytea null, "size" int not null, "object" text collate "C" null, primary key ("space_id", "digest"), constraint "blobs_one_place" check (num_nonnulls("bytes", "object") = 1));`,
    )
    // Stored out of line and uncompressed, so that a range is read without the rest. Images don't compress anyway.
    this.addSql(`alter table "blobs" alter column "bytes" set storage external;`)
    this.addSql(
      `create index "blobs_object_index" on "blobs" ("space_id", "digest") where "object" is not null;`,
    )
    this.addSql(
      `create table "writes" ("space_id" text collate "C" not null, "revision" bigint not null, "at" timestamptz(3) not null, "cause" text not null, "operation" text collate "C" null, "actor_kind" text not null, "actor" text collate "C" not null, "actor_label" text null, "account" text collate "C" not null, "agent" text null, primary key ("space_id", "revision"));`,
    )
    this.addSql(`create index "writes_actor_index" on "writes" ("space_id", "actor", "revision");`)
    this.addSql(
      `create index "writes_operation_index" on "writes" ("space_id", "operation") where "operation" is not null;`,
    )
    this.addSql(
      `create table "changes" ("space_id" text collate "C" not null, "kind" text collate "C" not null, "thing" text collate "C" not null, "revision" bigint not null, "before" jsonb null, "before_digest" bytea null, "body" text null, "size" int not null, "after" jsonb null, "after_digest" bytea null, primary key ("space_id", "kind", "thing", "revision"));`,
    )
    this.addSql(`create index "changes_revision_index" on "changes" ("space_id", "revision");`)
    this.addSql(
      `create table "unused_objects" ("space_id" text collate "C" not null, "digest" bytea not null, "object" text collate "C" not null, "state" text not null, "size" int not null, "since" timestamptz(3) not null, primary key ("space_id", "digest", "object"));`,
    )
    this.addSql(
      `alter table "unused_objects" add constraint "unused_objects_state_check" check ("state" in ('staged', 'freed', 'deleting'));`,
    )
    this.addSql(`create index "unused_objects_since_index" on "unused_objects" ("since");`)
    this.addSql(
      `create table "accounts" ("id" text collate "C" not null, "handle" text not null, "password_hash" text null, "created_at" timestamptz(3) not null, "display_name" text null, "bio" text null, "suspended_at" timestamptz(3) null, "suspension_reason" text null, primary key ("id"), constraint "accounts_suspension_check" check (("suspended_at" is null) = ("suspension_reason" is null)));`,
    )
    this.addSql(`create unique index "accounts_handle_unique" on "accounts" (lower("handle"));`)
    this.addSql(
      `create index "accounts_suspended_index" on "accounts" ("id") where "suspended_at" is not null;`,
    )
    this.addSql(
      `create table "sessions" ("token_hash" bytea not null, "account_id" text collate "C" not null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "id" text collate "C" not null, "user_agent" text null, "confirmed_at" timestamptz(3) not null, "may_reset_until" timestamptz(3) null, primary key ("token_hash"), constraint "sessions_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade, constraint "sessions_id_unique" unique ("id"), constraint "sessions_user_agent_length" check (char_length("user_agent") <= 300));`,
    )
    this.addSql(`create index "sessions_account_id_index" on "sessions" ("account_id");`)
    this.addSql(
      `create table "sign_in_links" ("token_hash" bytea not null, "account_id" text collate "C" null, "expires_at" timestamptz(3) not null, "purpose" text not null, primary key ("token_hash"), constraint "sign_in_links_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade);`,
    )
    this.addSql(
      `alter table "sign_in_links" add constraint "sign_in_links_purpose" check ("purpose" in ('sign_in', 'reset', 'set_up') and ("purpose" = 'set_up') = ("account_id" is null));`,
    )
    this.addSql(`create index "sign_in_links_account_id_index" on "sign_in_links" ("account_id");`)
    this.addSql(`create index "sign_in_links_expires_at_index" on "sign_in_links" ("expires_at");`)
    this.addSql(
      `create table "passkeys" ("id" text collate "C" not null, "account_id" text collate "C" not null, "credential_id" text not null, "public_key" bytea not null, "counter" bigint not null, "transports" text[] not null, "backed_up" boolean not null, "label" text not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, primary key ("id"), constraint "passkeys_credential_id_unique" unique ("credential_id"), constraint "passkeys_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade);`,
    )
    this.addSql(`create index "passkeys_account_id_index" on "passkeys" ("account_id");`)
    this.addSql(
      `create table "passkey_challenges" ("challenge" text not null, "purpose" text not null, "account_id" text collate "C" null, "expires_at" timestamptz(3) not null, primary key ("challenge"), constraint "passkey_challenges_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade);`,
    )
    this.addSql(
      `alter table "passkey_challenges" add constraint "passkey_challenges_purpose" check ("purpose" in ('register', 'sign_in', 'confirm') and ("purpose" = 'sign_in') = ("account_id" is null));`,
    )
    this.addSql(`create index "passkey_challenges_account_id_index" on "passkey_challenges" ("account_id");`)
    this.addSql(`create index "passkey_challenges_expires_at_index" on "passkey_challenges" ("expires_at");`)
    this.addSql(
      `create table "recovery_codes" ("account_id" text collate "C" not null, "code_hash" bytea not null, "created_at" timestamptz(3) not null, primary key ("account_id", "code_hash"), constraint "recovery_codes_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade);`,
    )
    this.addSql(
      `create table "known_browsers" ("account_id" text collate "C" not null, "browser_hash" bytea not null, "signed_in_at" timestamptz(3) not null, primary key ("account_id", "browser_hash"), constraint "known_browsers_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade);`,
    )
    this.addSql(
      `create table "space_names" ("id" text collate "C" not null, "subdomain" text not null, "name" text not null, "counts_visits" boolean not null default true, primary key ("id"), constraint "spaces_subdomain_unique" unique ("subdomain"));`,
    )
    this.addSql(`create table "deleted_spaces" ("id" text collate "C" not null, primary key ("id"));`)
    this.addSql(
      `create table "participants" ("id" text collate "C" not null, "space_id" text collate "C" not null, "account_id" text collate "C" not null, "joined_at" timestamptz(3) not null, primary key ("id"), constraint "participants_space_account_unique" unique ("space_id", "account_id"), constraint "participants_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade, constraint "participants_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade);`,
    )
    this.addSql(`create index "participants_account_id_index" on "participants" ("account_id");`)
    this.addSql(
      `create table "invites" ("id" text collate "C" not null, "token_hash" bytea not null, "inviter_id" text collate "C" not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"), constraint "invites_token_hash_unique" unique ("token_hash"), constraint "invites_inviter_id_foreign" foreign key ("inviter_id") references "participants" ("id") on delete cascade);`,
    )
    this.addSql(`create index "invites_inviter_id_index" on "invites" ("inviter_id");`)
    this.addSql(
      `create table "space_keys" ("id" text collate "C" not null, "issuer_id" text collate "C" not null, "label" text not null, "secret_hash" bytea not null, "hint" text not null, "scopes" text[] not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, "expires_at" timestamptz(3) null, "replaced_at" timestamptz(3) null, "used_by_agent" boolean not null default false, "client_id" text null, "agent_connected_at" timestamptz(3) null, "agent_name" text null, "agent_tools" smallint null, "agent_problem" text null, "refused_at" timestamptz(3) null, "first_id" text collate "C" null, "resource" text null, primary key ("id"), constraint "space_keys_secret_hash_unique" unique ("secret_hash"), constraint "space_keys_issuer_id_foreign" foreign key ("issuer_id") references "participants" ("id") on delete cascade, constraint "space_keys_replaced_ends" check ("replaced_at" is null or ("expires_at" is not null and "client_id" is null)));`,
    )
    this.addSql(`create index "space_keys_issuer_id_index" on "space_keys" ("issuer_id");`)
    this.addSql(`create index "space_keys_client_id_index" on "space_keys" ("client_id");`)
    this.addSql(`create index "space_keys_hint_index" on "space_keys" ("hint");`)
    this.addSql(
      `create table "upload_links" ("token_hash" bytea not null, "issuer_id" text collate "C" not null, "key_id" text collate "C" null, "agent" text null, "name" text not null, "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("token_hash"), constraint "upload_links_issuer_id_foreign" foreign key ("issuer_id") references "participants" ("id") on delete cascade, constraint "upload_links_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade);`,
    )
    this.addSql(`create index "upload_links_issuer_id_index" on "upload_links" ("issuer_id");`)
    this.addSql(`create index "upload_links_key_id_index" on "upload_links" ("key_id");`)
    this.addSql(`create index "upload_links_expires_at_index" on "upload_links" ("expires_at");`)
    this.addSql(
      `create table "icons" ("id" text collate "C" not null, "space_id" text collate "C" null, "account_id" text collate "C" null, "png" bytea not null, primary key ("id"), constraint "icons_space_unique" unique ("space_id"), constraint "icons_account_unique" unique ("account_id"), constraint "icons_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade, constraint "icons_one_owner" check (num_nonnulls("space_id", "account_id") = 1), constraint "icons_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade);`,
    )
    this.addSql(
      `create table "origins" ("id" text collate "C" not null, "kind" text not null, "space_id" text collate "C" not null, primary key ("id"), constraint "origins_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade);`,
    )
    this.addSql(`create index "origins_space_id_index" on "origins" ("space_id");`)
    this.addSql(
      `create table "domains" ("space_id" text collate "C" not null, "name" text collate "C" not null, "base" text collate "C" not null, "is_main" boolean not null, "created_at" timestamptz(3) not null, "verified_at" timestamptz(3) null, "secured_at" timestamptz(3) null, "is_here" boolean not null, "failing_since" timestamptz(3) null, "checked_at" timestamptz(3) null, "seen" jsonb null, "next_check_at" timestamptz(3) not null, "checks" int not null, primary key ("space_id", "name"), constraint "domains_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade, constraint "domains_verified_check" check ("verified_at" is not null or ("secured_at" is null and "failing_since" is null)));`,
    )
    this.addSql(`create index "domains_next_check_at_index" on "domains" ("next_check_at");`)
    this.addSql(
      `create unique index "domains_verified_unique" on "domains" ("name") where "verified_at" is not null;`,
    )
    this.addSql(`create unique index "domains_main_unique" on "domains" ("space_id") where "is_main";`)
    this.addSql(
      `create table "drafts" ("id" text collate "C" not null, "account_id" text collate "C" not null, "space_id" text collate "C" null, "kind" text not null, "thing" text collate "C" not null, "is_new" boolean not null, "content" text not null, "size" int not null, "shared_until" timestamptz(3) null, "updated_at" timestamptz(3) not null, primary key ("id"), constraint "drafts_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade, constraint "drafts_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade);`,
    )
    this.addSql(
      `alter table "drafts" add constraint "drafts_kind_check" check ("kind" in ('page', 'part', 'record', 'post'));`,
    )
    this.addSql(
      `create unique index "drafts_thing_unique" on "drafts" ("account_id", coalesce("space_id", ''), "kind", "thing");`,
    )
    this.addSql(`create index "drafts_space_index" on "drafts" ("space_id", "kind", "thing");`)
    this.addSql(`create index "drafts_updated_index" on "drafts" ("updated_at");`)
    this.addSql(
      `create table "audit_events" ("position" bigserial not null, "at" timestamptz(3) not null, "space_id" text collate "C" null, "account_id" text collate "C" null, "kind" text not null, "actor" text collate "C" null, "actor_label" text null, "details" jsonb not null, "count" int not null, "bucket" text null, primary key ("position"), constraint "audit_events_bucket_unique" unique ("bucket"), constraint "audit_events_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade, constraint "audit_events_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade);`,
    )
    this.addSql(
      `alter table "audit_events" add constraint "audit_events_kind_check" check ("kind" in ('signed_in', 'sign_in_failed', 'key_issued', 'key_rotated', 'key_revoked', 'token_issued', 'token_rotated', 'token_revoked', 'participant_joined', 'participant_left', 'exported', 'restored', 'erased', 'refused', 'account_suspended', 'suspension_lifted', 'domain_added', 'domain_removed', 'domain_verified', 'domain_switched_off', 'main_domain_changed'));`,
    )
    this.addSql(`create index "audit_events_space_index" on "audit_events" ("space_id", "position");`)
    this.addSql(`create index "audit_events_account_index" on "audit_events" ("account_id", "position");`)
    this.addSql(`create index "audit_events_at_index" on "audit_events" ("at");`)
    this.addSql(
      `create table "user_tokens" ("id" text collate "C" not null, "account_id" text collate "C" not null, "label" text not null, "secret_hash" bytea not null, "hint" text not null, "scopes" text[] not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, "client_id" text null, "expires_at" timestamptz(3) null, "replaced_at" timestamptz(3) null, "agent_name" text null, "resource" text null, primary key ("id"), constraint "user_tokens_secret_hash_unique" unique ("secret_hash"), constraint "user_tokens_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade, constraint "user_tokens_replaced_ends" check ("replaced_at" is null or ("expires_at" is not null and "client_id" is null)));`,
    )
    this.addSql(`create index "user_tokens_account_id_index" on "user_tokens" ("account_id");`)
    this.addSql(`create index "user_tokens_client_id_index" on "user_tokens" ("client_id");`)
    this.addSql(
      `create table "oauth_clients" ("id" text not null, "name" text not null, "redirect_uris" text[] not null, "created_at" timestamptz(3) not null, "approved_at" timestamptz(3) null, "network" text null, primary key ("id"));`,
    )
    this.addSql(`create index "oauth_clients_age_index" on "oauth_clients" ("approved_at", "created_at");`)
    this.addSql(
      `create table "oauth_codes" ("code_hash" bytea not null, "account_id" text collate "C" not null, "client_id" text not null, "client_name" text not null, "redirect_uri" text not null, "challenge" text not null, "scopes" text[] not null, "expires_at" timestamptz(3) not null, "token_id" text collate "C" null, "participant_id" text collate "C" null, "key_id" text collate "C" null, "resource" text null, primary key ("code_hash"), constraint "oauth_codes_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade, constraint "oauth_codes_token_id_foreign" foreign key ("token_id") references "user_tokens" ("id") on delete cascade, constraint "oauth_codes_participant_id_foreign" foreign key ("participant_id") references "participants" ("id") on delete cascade, constraint "oauth_codes_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade, constraint "oauth_codes_credential_kind" check (("token_id" is null or "participant_id" is null) and ("key_id" is null or "participant_id" is not null)));`,
    )
    this.addSql(`create index "oauth_codes_account_id_index" on "oauth_codes" ("account_id");`)
    this.addSql(`create index "oauth_codes_expires_at_index" on "oauth_codes" ("expires_at");`)
    this.addSql(`create index "oauth_codes_token_id_index" on "oauth_codes" ("token_id");`)
    this.addSql(`create index "oauth_codes_participant_id_index" on "oauth_codes" ("participant_id");`)
    this.addSql(`create index "oauth_codes_key_id_index" on "oauth_codes" ("key_id");`)
    this.addSql(
      `create table "oauth_grants" ("token_id" text collate "C" null, "family_hash" bytea not null, "refresh_hash" bytea not null, "used_hash" bytea null, "salt" bytea null, "refreshed_at" timestamptz(3) not null, "key_id" text collate "C" null, primary key ("family_hash"), constraint "oauth_grants_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade, constraint "oauth_grants_token_id_foreign" foreign key ("token_id") references "user_tokens" ("id") on delete cascade, constraint "oauth_grants_token_id_unique" unique ("token_id"), constraint "oauth_grants_key_id_unique" unique ("key_id"), constraint "oauth_grants_one_credential" check (num_nonnulls("token_id", "key_id") = 1));`,
    )
    this.addSql(
      `create table "kept_answers" ("digest" bytea not null, "key_id" text collate "C" null, "token_id" text collate "C" null, "request" bytea not null, "answer" text not null, "created_at" timestamptz(3) not null, primary key ("digest"), constraint "kept_answers_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade, constraint "kept_answers_token_id_foreign" foreign key ("token_id") references "user_tokens" ("id") on delete cascade, constraint "kept_answers_one_credential" check (num_nonnulls("key_id", "token_id") = 1));`,
    )
    this.addSql(`create index "kept_answers_created_at_index" on "kept_answers" ("created_at");`)
    this.addSql(`create index "kept_answers_key_index" on "kept_answers" ("key_id", "created_at");`)
    this.addSql(`create index "kept_answers_token_index" on "kept_answers" ("token_id", "created_at");`)
    this.addSql(
      `create table "usage_days" ("credential" text collate "C" not null, "day" date not null, "key_id" text collate "C" null, "token_id" text collate "C" null, "succeeded" int not null, "refused" int not null, "limited" int not null, "failed" int not null, primary key ("credential", "day"), constraint "usage_days_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade, constraint "usage_days_token_id_foreign" foreign key ("token_id") references "user_tokens" ("id") on delete cascade, constraint "usage_days_one_credential" check (num_nonnulls("key_id", "token_id") = 1));`,
    )
    this.addSql(`create index "usage_days_day_index" on "usage_days" ("day");`)
    this.addSql(`create index "usage_days_key_id_index" on "usage_days" ("key_id");`)
    this.addSql(`create index "usage_days_token_id_index" on "usage_days" ("token_id");`)
    this.addSql(
      `create table "failed_calls" ("position" bigserial not null, "key_id" text collate "C" null, "token_id" text collate "C" null, "at" timestamptz(3) not null, "method" text not null, "path" text not null, "status" smallint not null, "code" text not null, "fields" text[] not null, "reference" text not null, primary key ("position"), constraint "failed_calls_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade, constraint "failed_calls_token_id_foreign" foreign key ("token_id") references "user_tokens" ("id") on delete cascade, constraint "failed_calls_one_credential" check (num_nonnulls("key_id", "token_id") = 1));`,
    )
    this.addSql(`create index "failed_calls_key_id_index" on "failed_calls" ("key_id");`)
    this.addSql(`create index "failed_calls_token_id_index" on "failed_calls" ("token_id");`)
    this.addSql(`create index "failed_calls_at_index" on "failed_calls" ("at");`)
    this.addSql(
      `create table "posts" ("id" text collate "C" not null, "author_id" text collate "C" not null, "position" bigserial not null, "format" text not null, "html" text null, "url" text null, "text" text null, "tags" text[] not null, "published_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "markdown" text null, "comments_closed_at" timestamptz(3) null, primary key ("id"), constraint "posts_author_id_foreign" foreign key ("author_id") references "accounts" ("id") on delete cascade, constraint "posts_content_check" check (case when "format" = 'reblog' then "url" is not null and "html" is null else "html" is not null and "url" is null and "text" is null end), constraint "posts_markdown_check" check ("markdown" is null or "format" = 'rich'));`,
    )
    this.addSql(
      `alter table "posts" add constraint "posts_format_check" check ("format" in ('html', 'rich', 'reblog'));`,
    )
    this.addSql(`create index "posts_author_index" on "posts" ("author_id", "created_at", "position");`)
    this.addSql(
      `create index "posts_timeline_index" on "posts" ("published_at", "position") where "published_at" is not null;`,
    )
    this.addSql(
      `create index "posts_published_index" on "posts" ("author_id", "published_at", "position") include ("id") where "published_at" is not null;`,
    )
    this.addSql(
      `create table "post_changes" ("position" bigserial not null, "account_id" text collate "C" not null, "post_id" text collate "C" not null, "at" timestamptz(3) not null, "action" text not null, "cause" text not null, "actor_kind" text not null, "actor_label" text null, "agent" text null, "format" text not null, "html" text null, "markdown" text null, "url" text null, "text" text null, "tags" text[] not null, "post_position" bigint not null, "published_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "size" int not null, "reports" jsonb null, "comments_closed_at" timestamptz(3) null, primary key ("position"));`,
    )
    this.addSql(
      `alter table "post_changes" add constraint "post_changes_action_check" check ("action" in ('change', 'delete'));`,
    )
    this.addSql(
      `alter table "post_changes" add constraint "post_changes_cause_check" check ("cause" in ('write', 'restore'));`,
    )
    this.addSql(
      `alter table "post_changes" add constraint "post_changes_actor_kind_check" check ("actor_kind" in ('user_token', 'session'));`,
    )
    this.addSql(
      `alter table "post_changes" add constraint "post_changes_format_check" check ("format" in ('html', 'rich', 'reblog'));`,
    )
    this.addSql(
      `create index "post_changes_post_index" on "post_changes" ("account_id", "post_id", "position");`,
    )
    this.addSql(`create index "post_changes_at_index" on "post_changes" ("at", "account_id");`)
    this.addSql(
      `create index "post_changes_deleted_index" on "post_changes" ("account_id", "position") where "action" = 'delete';`,
    )
    this.addSql(
      `create table "comments" ("id" text collate "C" not null, "post_id" text collate "C" not null, "author_id" text collate "C" not null, "position" bigserial not null, "body" text not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"), constraint "comments_post_id_foreign" foreign key ("post_id") references "posts" ("id") on delete cascade, constraint "comments_author_id_foreign" foreign key ("author_id") references "accounts" ("id") on delete cascade);`,
    )
    this.addSql(`create index "comments_author_id_index" on "comments" ("author_id");`)
    this.addSql(
      `create index "comments_listed_index" on "comments" ("post_id", "created_at", "position") include ("author_id");`,
    )
    this.addSql(
      `create table "formatted_comments" ("comment_id" text collate "C" not null, "source" text not null, "html" text not null, primary key ("comment_id"), constraint "formatted_comments_comment_id_foreign" foreign key ("comment_id") references "comments" ("id") on update cascade on delete cascade);`,
    )
    this.addSql(
      `create table "likes" ("post_id" text collate "C" not null, "account_id" text collate "C" not null, primary key ("post_id", "account_id"), constraint "likes_post_id_foreign" foreign key ("post_id") references "posts" ("id") on update cascade on delete cascade, constraint "likes_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on update cascade on delete cascade);`,
    )
    this.addSql(`create index "likes_account_id_index" on "likes" ("account_id");`)
    this.addSql(
      `create table "follows" ("follower_id" text collate "C" not null, "followed_id" text collate "C" not null, "position" bigserial not null, "created_at" timestamptz(3) not null, primary key ("follower_id", "followed_id"), constraint "follows_follower_id_foreign" foreign key ("follower_id") references "accounts" ("id") on update cascade on delete cascade, constraint "follows_followed_id_foreign" foreign key ("followed_id") references "accounts" ("id") on update cascade on delete cascade, constraint "follows_self_check" check ("follower_id" <> "followed_id"));`,
    )
    this.addSql(`create index "follows_followed_id_index" on "follows" ("followed_id");`)
    this.addSql(`create index "follows_list_index" on "follows" ("follower_id", "created_at", "position");`)
    this.addSql(
      `create table "mutes" ("muter_id" text collate "C" not null, "muted_id" text collate "C" not null, "is_block" boolean not null, "position" bigserial not null, "created_at" timestamptz(3) not null, primary key ("muter_id", "muted_id"), constraint "mutes_muter_id_foreign" foreign key ("muter_id") references "accounts" ("id") on update cascade on delete cascade, constraint "mutes_muted_id_foreign" foreign key ("muted_id") references "accounts" ("id") on update cascade on delete cascade, constraint "mutes_self_check" check ("muter_id" <> "muted_id"));`,
    )
    this.addSql(`create index "mutes_muted_id_index" on "mutes" ("muted_id");`)
    this.addSql(`create index "mutes_list_index" on "mutes" ("muter_id", "created_at", "position");`)
    this.addSql(
      `create table "reports" ("id" text collate "C" not null, "post_id" text collate "C" null, "reporter_id" text collate "C" null, "reason" text not null, "created_at" timestamptz(3) not null, "dismissed_at" timestamptz(3) null, "comment_id" text collate "C" null, primary key ("id"), constraint "reports_post_reporter_unique" unique ("post_id", "reporter_id"), constraint "reports_post_id_foreign" foreign key ("post_id") references "posts" ("id") on delete cascade, constraint "reports_reporter_id_foreign" foreign key ("reporter_id") references "accounts" ("id") on delete set null, constraint "reports_comment_id_foreign" foreign key ("comment_id") references "comments" ("id") on delete cascade, constraint "reports_comment_reporter_unique" unique ("comment_id", "reporter_id"), constraint "reports_target_check" check (("post_id" is null) <> ("comment_id" is null)));`,
    )
    this.addSql(`create index "reports_reporter_id_index" on "reports" ("reporter_id");`)
    this.addSql(
      `create table "notifications" ("position" bigserial not null, "account_id" text collate "C" not null, "kind" text not null, "at" timestamptz(3) not null, "post_id" text collate "C" null, "comment_id" text collate "C" null, "reblog_id" text collate "C" null, "subject" text null, "text" text null, "reason" text null, "read_at" timestamptz(3) null, "decision" text null, "domain" text null, "space_id" text collate "C" null, primary key ("position"));`,
    )
    this.addSql(
      `alter table "notifications" add constraint "notifications_kind_check" check ("kind" in ('commented', 'reblogged', 'report_dismissed', 'report_accepted', 'taken_down'));`,
    )
    this.addSql(
      `alter table "notifications" add constraint "notifications_subject_check" check ("subject" in ('post', 'comment'));`,
    )
    this.addSql(
      `alter table "notifications" add constraint "notifications_decision_check" check ("decision" in ('suspended', 'suspension_lifted'));`,
    )
    this.addSql(`create index "notifications_account_index" on "notifications" ("account_id", "position");`)
    this.addSql(`create index "notifications_at_index" on "notifications" ("at", "account_id");`)
    this.addSql(
      `create index "notifications_unread_index" on "notifications" ("account_id") where "read_at" is null;`,
    )
    this.addSql(
      `create table "visit_days" ("space_id" text collate "C" not null, "day" date not null, "views" int not null, "visitors" int not null, "is_estimate" boolean not null, "not_found" int not null, "failed" int not null, primary key ("space_id", "day"), constraint "visit_days_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade);`,
    )
    this.addSql(`create index "visit_days_day_index" on "visit_days" ("day");`)
    this.addSql(
      `create table "visit_counts" ("space_id" text collate "C" not null, "day" date not null, "kind" text not null, "name" text collate "C" not null, "count" int not null, primary key ("space_id", "day", "kind", "name"), constraint "visit_counts_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade);`,
    )
    this.addSql(
      `alter table "visit_counts" add constraint "visit_counts_kind_check" check ("kind" in ('page', 'source', 'not_found', 'failed'));`,
    )
    this.addSql(`create index "visit_counts_day_index" on "visit_counts" ("day");`)
    this.addSql(
      `create table "visit_hours" ("space_id" text collate "C" not null, "hour" timestamptz(3) not null, "views" int not null, primary key ("space_id", "hour"), constraint "visit_hours_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade);`,
    )
    this.addSql(`create index "visit_hours_hour_index" on "visit_hours" ("hour");`)
    this.addSql(
      `create table "visitor_hashes" ("space_id" text collate "C" not null, "day" date not null, "hash" bigint not null, primary key ("space_id", "day", "hash"), constraint "visitor_hashes_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade);`,
    )
    this.addSql(
      `create table "visit_salts" ("day" date not null, "salt" bytea not null, primary key ("day"));`,
    )

    // The default compression of PostgreSQL takes most of the time of writing a long body. The embedded server has no
    // other one.
    this.addSql(`
do $$ begin
  alter table pages alter column html set compression lz4;
  alter table parts alter column html set compression lz4;
  alter table data_records alter column value set compression lz4;
  alter table changes alter column body set compression lz4;
exception when feature_not_supported then null;
end $$;`)

    this.addSql(
      recordChange({
        page: ['slug', 'kind', 'includes', 'created_at'],
        part: ['name', 'length', 'includes', 'created_at'],
        record: ['size', 'description', 'version'],
        file: ['position', 'name', 'content_type', 'size', 'uploaded_by_id', 'created_at'],
      }),
    )
    for (const [table, args] of [
      ['pages', "'page'"],
      ['parts', "'part'"],
      ['data_records', "'record'"],
      ['files', "'file'"],
      ['icons', "'space', 'icon'"],
    ])
      this.addSql(
        `create trigger "record_change" after insert or update or delete on "${table}" for each row execute function "record_change"(${args});`,
      )
    this.addSql(
      `create trigger "record_change" after update of "name" on "spaces" for each row when (old."name" <> new."name") execute function "record_change"('space', 'name');`,
    )
  }
}
