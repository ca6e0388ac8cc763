import { Migration } from '@mikro-orm/migrations'

export class Migration20261123164347_erased_items extends Migration {
  override name = 'Migration20261123164347_erased_items'

  override up(): void | Promise<void> {
    this.addSql(`alter table "audit_events" drop constraint "audit_events_kind_check";`)
    this.addSql(
      `alter table "audit_events" add constraint "audit_events_kind_check" check ("kind" in ('signed_in', 'sign_in_failed', 'key_issued', 'key_rotated', 'key_revoked', 'token_issued', 'token_rotated', 'token_revoked', 'participant_joined', 'participant_left', 'exported', 'restored', 'erased', 'refused'));`,
    )
  }
}
