import { Migration } from '@mikro-orm/migrations'

export class Migration20261123080153_trimmed_changes extends Migration {
  override name = 'Migration20261123080153_trimmed_changes'

  override up(): void | Promise<void> {
    this.addSql(`alter table "changes" add "trimmed_until" timestamptz(3) null;`)
    this.addSql(
      `create index "changes_operation_index" on "changes" ("space_id", "operation") where "operation" is not null;`,
    )
  }
}
