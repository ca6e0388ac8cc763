import { Migration } from '@mikro-orm/migrations'

export class Migration20261123203100_notifications extends Migration {
  override name = 'Migration20261123203100_notifications'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "notifications" ("position" bigserial primary key, "account_id" text collate "C" not null, "kind" text not null, "at" timestamptz(3) not null, "post_id" text collate "C" null, "comment_id" text collate "C" null, "reblog_id" text collate "C" null, "subject" text null, "text" text null, "reason" text null, "read_at" timestamptz(3) null);`,
    )
    this.addSql(`create index "notifications_account_index" on "notifications" ("account_id", "position");`)
    this.addSql(`create index "notifications_at_index" on "notifications" ("at", "account_id");`)
    this.addSql(
      `create index "notifications_unread_index" on "notifications" ("account_id") where "read_at" is null;`,
    )
    this.addSql(
      `alter table "notifications" add constraint "notifications_kind_check" check ("kind" in ('commented', 'reblogged', 'report_dismissed', 'report_accepted', 'taken_down'));`,
    )
    this.addSql(
      `alter table "notifications" add constraint "notifications_subject_check" check ("subject" in ('post', 'comment'));`,
    )
  }
}
