import { Migration } from '@mikro-orm/migrations'

export class Migration20261128034500_roles extends Migration {
  override name = 'Migration20261128034500_roles'

  override up(): void | Promise<void> {
    // Whoever participates already is an owner, and so is everyone whom the previous version lets join.
    for (const table of ['participants', 'invites'])
      this.addSql(
        `alter table "${table}" add "role" text not null default 'owner' constraint "${table}_role_check" check ("role" in ('owner', 'editor'));`,
      )

    this.addSql(
      `alter table "notifications" add "participation" text null constraint "notifications_participation_check" check ("participation" in ('owner', 'editor', 'removed'));`,
    )

    this.addSql(`alter table "audit_events" drop constraint "audit_events_kind_check";`)
    this.addSql(
      `alter table "audit_events" add constraint "audit_events_kind_check" check ("kind" in ('signed_in', 'sign_in_failed', 'key_issued', 'key_rotated', 'key_revoked', 'token_issued', 'token_rotated', 'token_revoked', 'participant_joined', 'participant_left', 'participant_removed', 'role_changed', 'exported', 'restored', 'erased', 'refused', 'account_suspended', 'suspension_lifted', 'domain_added', 'domain_removed', 'domain_verified', 'domain_switched_off', 'main_domain_changed', 'webhook_added', 'webhook_removed', 'webhook_secret_rotated', 'webhook_switched_off', 'webhook_switched_on'));`,
    )
  }
}
