import { Migration } from '@mikro-orm/migrations'

export class Migration20261123203000_closed_posts extends Migration {
  override name = 'Migration20261123203000_closed_posts'

  override up(): void | Promise<void> {
    this.addSql(`alter table "posts" add "comments_closed_at" timestamptz(3) null;`)
    this.addSql(`alter table "post_changes" add "comments_closed_at" timestamptz(3) null;`)
  }
}
