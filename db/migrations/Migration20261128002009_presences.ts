import { Migration } from '@mikro-orm/migrations'

export class Migration20261128002009_presences extends Migration {
  override name = 'Migration20261128002009_presences'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "presences" ("stream" text collate "C" not null, "participant_id" text collate "C" not null, "session_token_hash" bytea not null, "seen_at" timestamptz(3) not null, primary key ("stream", "participant_id"));`,
    )
    this.addSql(`alter table "presences" set unlogged;`)
    this.addSql(`create index "presences_participant_id_index" on "presences" ("participant_id");`)
    this.addSql(`create index "presences_session_token_hash_index" on "presences" ("session_token_hash");`)
    this.addSql(`create index "presences_seen_at_index" on "presences" ("seen_at");`)

    this.addSql(
      `alter table "presences" add constraint "presences_participant_id_foreign" foreign key ("participant_id") references "participants" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "presences" add constraint "presences_session_token_hash_foreign" foreign key ("session_token_hash") references "sessions" ("token_hash") on delete cascade;`,
    )
  }
}
