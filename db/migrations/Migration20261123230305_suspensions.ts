import { Migration } from '@mikro-orm/migrations'

export class Migration20261123230305_suspensions extends Migration {
  override name = 'Migration20261123230305_suspensions'

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "accounts" add "suspended_at" timestamptz(3) null, add "suspension_reason" text null constraint "accounts_suspension_check" check (("suspended_at" is null) = ("suspension_reason" is null));`,
    )
    this.addSql(
      `create index "accounts_suspended_index" on "accounts" ("id") where "suspended_at" is not null;`,
    )

    this.addSql(
      `alter table "notifications" add "decision" text null constraint "notifications_decision_check" check ("decision" in ('suspended', 'suspension_lifted'));`,
    )

    this.addSql(`drop index "comments_post_index";`)
    this.addSql(
      `create index "comments_listed_index" on "comments" ("post_id", "created_at", "position") include ("author_id");`,
    )

    this.addSql(`alter table "audit_events" drop constraint "audit_events_kind_check";`)
    this.addSql(
      `alter table "audit_events" add constraint "audit_events_kind_check" check ("kind" in ('signed_in', 'sign_in_failed', 'key_issued', 'key_rotated', 'key_revoked', 'token_issued', 'token_rotated', 'token_revoked', 'participant_joined', 'participant_left', 'exported', 'restored', 'erased', 'refused', 'account_suspended', 'suspension_lifted'));`,
    )
  }
}
