import { Migration } from '@mikro-orm/migrations'

export class Migration20261122190800_audit extends Migration {
  override name = 'Migration20261122190800_audit'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "audit_events" ("position" bigserial primary key, "at" timestamptz(3) not null, "space_id" text collate "C" null, "account_id" text collate "C" null, "kind" text not null, "actor" text collate "C" null, "actor_label" text null, "details" jsonb not null, "count" int not null, "bucket" text null);`,
    )
    this.addSql(`alter table "audit_events" add constraint "audit_events_bucket_unique" unique ("bucket");`)
    this.addSql(`create index "audit_events_space_index" on "audit_events" ("space_id", "position");`)
    this.addSql(`create index "audit_events_account_index" on "audit_events" ("account_id", "position");`)
    this.addSql(`create index "audit_events_at_index" on "audit_events" ("at");`)

    this.addSql(
      `alter table "audit_events" add constraint "audit_events_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "audit_events" add constraint "audit_events_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "audit_events" add constraint "audit_events_kind_check" check ("kind" in ('signed_in', 'sign_in_failed', 'key_issued', 'key_rotated', 'key_revoked', 'token_issued', 'token_rotated', 'token_revoked', 'participant_joined', 'participant_left', 'exported', 'restored', 'refused'));`,
    )
  }
}
