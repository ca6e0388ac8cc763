import { Migration } from '@mikro-orm/migrations'

export class Migration20261121021234_user_api extends Migration {
  override name = 'Migration20261121021234_user_api'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "posts" ("id" text collate "C" not null, "author_id" text collate "C" not null, "position" bigserial, "format" text not null, "html" text null, "url" text null, "text" text null, "tags" text[] not null, "published_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));`,
    )
    this.addSql(`create index "posts_author_index" on "posts" ("author_id", "created_at", "position");`)
    this.addSql(
      `create index "posts_timeline_index" on "posts" ("published_at", "position") where "published_at" is not null;`,
    )

    this.addSql(
      `create table "likes" ("post_id" text collate "C" not null, "account_id" text collate "C" not null, primary key ("post_id", "account_id"));`,
    )
    this.addSql(`create index "likes_account_id_index" on "likes" ("account_id");`)

    this.addSql(
      `create table "comments" ("id" text collate "C" not null, "post_id" text collate "C" not null, "author_id" text collate "C" not null, "position" bigserial, "body" text not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));`,
    )
    this.addSql(`create index "comments_author_id_index" on "comments" ("author_id");`)
    this.addSql(`create index "comments_post_index" on "comments" ("post_id", "created_at", "position");`)

    this.addSql(
      `create table "reports" ("id" text collate "C" not null, "post_id" text collate "C" not null, "reporter_id" text collate "C" null, "reason" text not null, "created_at" timestamptz(3) not null, "dismissed_at" timestamptz(3) null, primary key ("id"));`,
    )
    this.addSql(`create index "reports_reporter_id_index" on "reports" ("reporter_id");`)
    this.addSql(
      `alter table "reports" add constraint "reports_post_reporter_unique" unique ("post_id", "reporter_id");`,
    )

    this.addSql(
      `create table "user_tokens" ("id" text collate "C" not null, "account_id" text collate "C" not null, "label" text not null, "secret_hash" bytea not null, "hint" text not null, "scopes" text[] not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, primary key ("id"));`,
    )
    this.addSql(`create index "user_tokens_account_id_index" on "user_tokens" ("account_id");`)
    this.addSql(
      `alter table "user_tokens" add constraint "user_tokens_secret_hash_unique" unique ("secret_hash");`,
    )

    this.addSql(`alter table "accounts" add "display_name" text null, add "bio" text null;`)

    this.addSql(
      `alter table "posts" add constraint "posts_author_id_foreign" foreign key ("author_id") references "accounts" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "posts" add constraint "posts_content_check" check (case when "format" = 'reblog' then "url" is not null and "html" is null else "html" is not null and "url" is null and "text" is null end);`,
    )
    this.addSql(
      `alter table "posts" add constraint "posts_format_check" check ("format" in ('html', 'rich', 'reblog'));`,
    )

    this.addSql(
      `alter table "likes" add constraint "likes_post_id_foreign" foreign key ("post_id") references "posts" ("id") on update cascade on delete cascade;`,
    )
    this.addSql(
      `alter table "likes" add constraint "likes_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on update cascade on delete cascade;`,
    )

    this.addSql(
      `alter table "comments" add constraint "comments_post_id_foreign" foreign key ("post_id") references "posts" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "comments" add constraint "comments_author_id_foreign" foreign key ("author_id") references "accounts" ("id") on delete cascade;`,
    )

    this.addSql(
      `alter table "reports" add constraint "reports_post_id_foreign" foreign key ("post_id") references "posts" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "reports" add constraint "reports_reporter_id_foreign" foreign key ("reporter_id") references "accounts" ("id") on delete set null;`,
    )

    this.addSql(
      `alter table "user_tokens" add constraint "user_tokens_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )
  }
}
