import { Migration } from '@mikro-orm/migrations'

/** Stores from which network each OAuth client was registered. */
export class Migration20261127035500_networks_of_clients extends Migration {
  override name = 'Migration20261127035500_networks_of_clients'

  override up(): void | Promise<void> {
    this.addSql(`alter table "oauth_clients" add "network" text null;`)
  }
}
