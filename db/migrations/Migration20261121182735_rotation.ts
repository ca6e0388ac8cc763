import { Migration } from '@mikro-orm/migrations'

export class Migration20261121182735_rotation extends Migration {
  override name = 'Migration20261121182735_rotation'

  override up(): void | Promise<void> {
    this.addSql(`alter table "space_keys" add "replaced_at" timestamptz(3) null;`)
    this.addSql(
      `alter table "space_keys" add constraint "space_keys_replaced_ends" check ("replaced_at" is null or "expires_at" is not null);`,
    )

    this.addSql(`alter table "user_tokens" add "replaced_at" timestamptz(3) null;`)
    this.addSql(
      `alter table "user_tokens" add constraint "user_tokens_replaced_ends" check ("replaced_at" is null or ("expires_at" is not null and "client_id" is null));`,
    )
  }
}
