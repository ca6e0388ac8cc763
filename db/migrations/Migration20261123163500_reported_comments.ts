import { Migration } from '@mikro-orm/migrations'

export class Migration20261123163500_reported_comments extends Migration {
  override name = 'Migration20261123163500_reported_comments'

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "reports" alter column "post_id" drop not null, add "comment_id" text collate "C" null;`,
    )
    this.addSql(
      `alter table "reports" add constraint "reports_comment_id_foreign" foreign key ("comment_id") references "comments" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "reports" add constraint "reports_comment_reporter_unique" unique ("comment_id", "reporter_id");`,
    )
    this.addSql(
      `alter table "reports" add constraint "reports_target_check" check (("post_id" is null) <> ("comment_id" is null));`,
    )
  }
}
