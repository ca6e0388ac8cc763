import { Migration } from '@mikro-orm/migrations'

export class Migration20261122160612_agents_of_keys extends Migration {
  override name = 'Migration20261122160612_agents_of_keys'

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "space_keys" add "agent_connected_at" timestamptz(3) null, add "agent_name" text null, add "agent_tools" smallint null, add "agent_problem" text null, add "refused_at" timestamptz(3) null;`,
    )
    this.addSql(`create index "space_keys_hint_index" on "space_keys" ("hint");`)
  }
}
