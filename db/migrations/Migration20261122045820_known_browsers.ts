import { Migration } from '@mikro-orm/migrations'

export class Migration20261122045820_known_browsers extends Migration {
  override name = 'Migration20261122045820_known_browsers'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "known_browsers" ("account_id" text collate "C" not null, "browser_hash" bytea not null, "signed_in_at" timestamptz(3) not null, primary key ("account_id", "browser_hash"));`,
    )

    this.addSql(
      `alter table "known_browsers" add constraint "known_browsers_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete cascade;`,
    )
  }
}
