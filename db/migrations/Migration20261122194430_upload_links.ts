import { Migration } from '@mikro-orm/migrations'

export class Migration20261122194430_upload_links extends Migration {
  override name = 'Migration20261122194430_upload_links'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "upload_links" ("token_hash" bytea not null, "issuer_id" text collate "C" not null, "key_id" text collate "C" null, "agent" text null, "name" text not null, "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("token_hash"));`,
    )
    this.addSql(`create index "upload_links_issuer_id_index" on "upload_links" ("issuer_id");`)
    this.addSql(`create index "upload_links_key_id_index" on "upload_links" ("key_id");`)
    this.addSql(`create index "upload_links_expires_at_index" on "upload_links" ("expires_at");`)

    this.addSql(
      `alter table "upload_links" add constraint "upload_links_issuer_id_foreign" foreign key ("issuer_id") references "participants" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "upload_links" add constraint "upload_links_key_id_foreign" foreign key ("key_id") references "space_keys" ("id") on delete cascade;`,
    )
  }
}
