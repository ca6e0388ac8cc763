import { Migration } from '@mikro-orm/migrations'

export class Migration20261123053500_kept_reports extends Migration {
  override name = 'Migration20261123053500_kept_reports'

  override up(): void | Promise<void> {
    this.addSql(`alter table "post_changes" add "reports" jsonb null;`)
  }
}
