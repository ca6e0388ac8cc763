import { Migration } from '@mikro-orm/migrations'

export class Migration20261123204500_follows extends Migration {
  override name = 'Migration20261123204500_follows'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "follows" ("follower_id" text collate "C" not null, "followed_id" text collate "C" not null, "position" bigserial not null, "created_at" timestamptz(3) not null, primary key ("follower_id", "followed_id"));`,
    )
    this.addSql(`create index "follows_followed_id_index" on "follows" ("followed_id");`)
    this.addSql(`create index "follows_list_index" on "follows" ("follower_id", "created_at", "position");`)

    this.addSql(
      `create index "posts_published_index" on "posts" ("author_id", "published_at", "position") include ("id") where "published_at" is not null;`,
    )

    this.addSql(
      `alter table "follows" add constraint "follows_follower_id_foreign" foreign key ("follower_id") references "accounts" ("id") on update cascade on delete cascade;`,
    )
    this.addSql(
      `alter table "follows" add constraint "follows_followed_id_foreign" foreign key ("followed_id") references "accounts" ("id") on update cascade on delete cascade;`,
    )
    this.addSql(
      `alter table "follows" add constraint "follows_self_check" check ("follower_id" <> "followed_id");`,
    )
  }
}
