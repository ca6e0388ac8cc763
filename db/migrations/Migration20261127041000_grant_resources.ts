import { Migration } from '@mikro-orm/migrations'

export class Migration20261127041000_grant_resources extends Migration {
  override name = 'Migration20261127041000_grant_resources'

  override up(): void | Promise<void> {
    this.addSql(`alter table "oauth_codes" add "resource" text null;`)
    this.addSql(`alter table "space_keys" add "resource" text null;`)
    this.addSql(`alter table "user_tokens" add "resource" text null;`)
  }
}
