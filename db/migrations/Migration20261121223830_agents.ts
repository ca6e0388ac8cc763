import { Migration } from '@mikro-orm/migrations'

export class Migration20261121223830_agents extends Migration {
  override name = 'Migration20261121223830_agents'

  override up(): void | Promise<void> {
    this.addSql(`alter table "space_keys" add "used_by_agent" boolean not null default false;`)
  }
}
