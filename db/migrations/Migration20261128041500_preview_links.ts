import { Migration } from '@mikro-orm/migrations'

export class Migration20261128041500_preview_links extends Migration {
  override name = 'Migration20261128041500_preview_links'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "preview_links" ("id" text collate "C" not null, "token" text not null, "issuer_id" text collate "C" not null, "thing" text collate "C" not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));`,
    )
    this.addSql(`create index "preview_links_issuer_id_index" on "preview_links" ("issuer_id");`)

    this.addSql(
      `alter table "preview_links" add constraint "preview_links_issuer_id_foreign" foreign key ("issuer_id") references "participants" ("id") on delete cascade;`,
    )
  }
}
