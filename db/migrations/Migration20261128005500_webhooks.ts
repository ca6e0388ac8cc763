import { Migration } from '@mikro-orm/migrations'

export class Migration20261128005500_webhooks extends Migration {
  override name = 'Migration20261128005500_webhooks'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "webhooks" ("id" text collate "C" not null, "space_id" text collate "C" not null, "owner_id" text collate "C" not null, "url" text not null, "events" text[] not null, "secret" text not null, "previous_secret" text null, "previous_until" timestamptz(3) null, "created_at" timestamptz(3) not null, "state" text not null, "off_reason" text null, "off_at" timestamptz(3) null, "failing_since" timestamptz(3) null, "revision" bigint not null default '0', "after_kind" text collate "C" not null default '', "after_thing" text collate "C" not null default '', "missed" bigint null, "due_at" timestamptz(3) null, "leased_until" timestamptz(3) null, primary key ("id"));`,
    )
    this.addSql(`create index "webhooks_space_id_index" on "webhooks" ("space_id");`)
    this.addSql(`create index "webhooks_owner_id_index" on "webhooks" ("owner_id");`)
    this.addSql(`create index "webhooks_due_at_index" on "webhooks" ("due_at");`)

    this.addSql(
      `create table "webhook_deliveries" ("id" text collate "C" not null, "webhook_id" text collate "C" not null, "position" bigserial, "kind" text not null, "body" text not null, "changes" int not null, "created_at" timestamptz(3) not null, "due_at" timestamptz(3) null, "delivered_at" timestamptz(3) null, "attempts" int not null default 0, "attempted_at" timestamptz(3) null, "duration" int null, "status" smallint null, "error" text null, primary key ("id"));`,
    )
    this.addSql(
      `create index "webhook_deliveries_webhook_index" on "webhook_deliveries" ("webhook_id", "position");`,
    )
    this.addSql(`create index "webhook_deliveries_created_index" on "webhook_deliveries" ("created_at");`)
    this.addSql(
      `create unique index "webhook_deliveries_next_unique" on "webhook_deliveries" ("webhook_id") where "kind" = 'changes' and "delivered_at" is null;`,
    )

    this.addSql(`alter table "notifications" add "webhook" text null;`)

    this.addSql(`alter table "audit_events" drop constraint "audit_events_kind_check";`)
    this.addSql(
      `alter table "audit_events" add constraint "audit_events_kind_check" check ("kind" in ('signed_in', 'sign_in_failed', 'key_issued', 'key_rotated', 'key_revoked', 'token_issued', 'token_rotated', 'token_revoked', 'participant_joined', 'participant_left', 'exported', 'restored', 'erased', 'refused', 'account_suspended', 'suspension_lifted', 'domain_added', 'domain_removed', 'domain_verified', 'domain_switched_off', 'main_domain_changed', 'webhook_added', 'webhook_removed', 'webhook_secret_rotated', 'webhook_switched_off', 'webhook_switched_on'));`,
    )

    this.addSql(
      `alter table "webhooks" add constraint "webhooks_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_owner_id_foreign" foreign key ("owner_id") references "participants" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_off_check" check (("state" = 'off') = ("off_reason" is not null));`,
    )
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_previous_check" check (("previous_secret" is null) = ("previous_until" is null));`,
    )
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_state_check" check ("state" in ('untested', 'active', 'off'));`,
    )
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_off_reason_check" check ("off_reason" in ('person', 'gone', 'failing'));`,
    )

    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_webhook_id_foreign" foreign key ("webhook_id") references "webhooks" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_kind_check" check ("kind" in ('test', 'changes'));`,
    )
  }
}
