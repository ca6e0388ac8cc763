import { Migration } from '@mikro-orm/migrations'

export class Migration20261125080531_unchecked_changes extends Migration {
  override name = 'Migration20261125080531_unchecked_changes'

  override up(): void | Promise<void> {
    this.addSql(`alter table "changes" drop constraint "changes_action_check";`)
    this.addSql(`alter table "changes" drop constraint "changes_actor_kind_check";`)
    this.addSql(`alter table "changes" drop constraint "changes_cause_check";`)
    this.addSql(`alter table "changes" drop constraint "changes_kind_check";`)
  }
}
