import { Migration } from '@mikro-orm/migrations'

export class Migration20261123125544_authors_of_changes extends Migration {
  override name = 'Migration20261123125544_authors_of_changes'

  override up(): void | Promise<void> {
    this.addSql(`alter table "changes" add "trimmed_by" jsonb null;`)
    this.addSql(
      `create index "changes_trimmed_index" on "changes" ("space_id") where "trimmed_until" is not null;`,
    )

    this.addSql(`alter table "space_keys" add "first_id" text collate "C" null;`)
  }
}
