import { Migration } from '@mikro-orm/migrations'

export class Migration20261127134123_domains extends Migration {
  override name = 'Migration20261127134123_domains'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "domains" ("space_id" text collate "C" not null, "name" text collate "C" not null, "base" text collate "C" not null, "is_main" boolean not null, "created_at" timestamptz(3) not null, "verified_at" timestamptz(3) null, "secured_at" timestamptz(3) null, "is_here" boolean not null, "failing_since" timestamptz(3) null, "checked_at" timestamptz(3) null, "seen" jsonb null, "next_check_at" timestamptz(3) not null, "checks" int not null, primary key ("space_id", "name"));`,
    )
    this.addSql(`create index "domains_next_check_at_index" on "domains" ("next_check_at");`)
    this.addSql(
      `create unique index "domains_verified_unique" on "domains" ("name") where "verified_at" is not null;`,
    )
    this.addSql(`create unique index "domains_main_unique" on "domains" ("space_id") where "is_main";`)

    this.addSql(`alter table "notifications" add "domain" text null, add "space_id" text collate "C" null;`)

    this.addSql(`alter table "spaces" add "main_host" text null;`)

    this.addSql(`alter table "audit_events" drop constraint "audit_events_kind_check";`)
    this.addSql(
      `alter table "audit_events" add constraint "audit_events_kind_check" check ("kind" in ('signed_in', 'sign_in_failed', 'key_issued', 'key_rotated', 'key_revoked', 'token_issued', 'token_rotated', 'token_revoked', 'participant_joined', 'participant_left', 'exported', 'restored', 'erased', 'refused', 'account_suspended', 'suspension_lifted', 'domain_added', 'domain_removed', 'domain_verified', 'domain_switched_off', 'main_domain_changed'));`,
    )

    this.addSql(
      `alter table "domains" add constraint "domains_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "domains" add constraint "domains_verified_check" check ("verified_at" is not null or ("secured_at" is null and "failing_since" is null));`,
    )
  }
}
