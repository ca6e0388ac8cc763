import { Migration } from '@mikro-orm/migrations'

export class Migration20261123125000_agents_of_tokens extends Migration {
  override name = 'Migration20261123125000_agents_of_tokens'

  override up(): void | Promise<void> {
    this.addSql(`alter table "user_tokens" add "agent_name" text null;`)
  }
}
