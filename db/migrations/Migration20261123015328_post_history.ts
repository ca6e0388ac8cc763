import { Migration } from '@mikro-orm/migrations'

export class Migration20261123015328_post_history extends Migration {
  override name = 'Migration20261123015328_post_history'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "post_changes" ("position" bigserial primary key, "account_id" text collate "C" not null, "post_id" text collate "C" not null, "at" timestamptz(3) not null, "action" text not null, "cause" text not null, "actor_kind" text not null, "actor_label" text null, "agent" text null, "format" text not null, "html" text null, "markdown" text null, "url" text null, "text" text null, "tags" text[] not null, "post_position" bigint not null, "published_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "size" int not null);`,
    )
    this.addSql(
      `create index "post_changes_post_index" on "post_changes" ("account_id", "post_id", "position");`,
    )
    this.addSql(`create index "post_changes_at_index" on "post_changes" ("at", "account_id");`)
    this.addSql(
      `create index "post_changes_deleted_index" on "post_changes" ("account_id", "position") where "action" = 'delete';`,
    )

    this.addSql(
      `alter table "post_changes" add constraint "post_changes_action_check" check ("action" in ('change', 'delete'));`,
    )
    this.addSql(
      `alter table "post_changes" add constraint "post_changes_cause_check" check ("cause" in ('write', 'restore'));`,
    )
    this.addSql(
      `alter table "post_changes" add constraint "post_changes_actor_kind_check" check ("actor_kind" in ('user_token', 'session'));`,
    )
    this.addSql(
      `alter table "post_changes" add constraint "post_changes_format_check" check ("format" in ('html', 'rich', 'reblog'));`,
    )
  }
}
