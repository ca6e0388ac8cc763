import { Migration } from '@mikro-orm/migrations'

export class Migration20261124035532_formatted_comments extends Migration {
  override name = 'Migration20261124035532_formatted_comments'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "formatted_comments" ("comment_id" text collate "C" not null, "source" text not null, "html" text not null, primary key ("comment_id"));`,
    )

    this.addSql(
      `alter table "formatted_comments" add constraint "formatted_comments_comment_id_foreign" foreign key ("comment_id") references "comments" ("id") on update cascade on delete cascade;`,
    )
  }
}
