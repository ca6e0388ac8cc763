import { Migration } from '@mikro-orm/migrations'

export class Migration20261121182134_markdown_source extends Migration {
  override name = 'Migration20261121182134_markdown_source'

  override up(): void | Promise<void> {
    this.addSql(`alter table "posts" add "markdown" text null;`)
    this.addSql(
      `alter table "posts" add constraint "posts_markdown_check" check ("markdown" is null or "format" = 'rich');`,
    )
  }
}
