import { Migration } from '@mikro-orm/migrations'

export class Migration20261123225532_origins extends Migration {
  override name = 'Migration20261123225532_origins'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "origins" ("id" text collate "C" not null, "kind" text not null, "space_id" text collate "C" not null, primary key ("id"));`,
    )
    this.addSql(`create index "origins_space_id_index" on "origins" ("space_id");`)

    this.addSql(
      `alter table "origins" add constraint "origins_space_id_foreign" foreign key ("space_id") references "spaces" ("id") on delete cascade;`,
    )
    this.addSql(
      `alter table "origins" add constraint "origins_kind_check" check ("kind" in ('page', 'file'));`,
    )

    // Processes of the previous version create pages and files without origins. The next version can drop the triggers,
    // together with pages_id_index and files_id_index, which only the previous version uses.
    this.addSql(
      `create or replace function "insert_origin"() returns trigger language plpgsql as $$ begin insert into "origins" ("id", "kind", "space_id") values (new."id", tg_argv[0], new."space_id") on conflict ("id") do nothing; return null; end $$;`,
    )
    this.addSql(
      `create trigger "pages_origin" after insert on "pages" for each row execute function "insert_origin"('page');`,
    )
    this.addSql(
      `create trigger "files_origin" after insert on "files" for each row execute function "insert_origin"('file');`,
    )
    this.addSql(
      `insert into "origins" ("id", "kind", "space_id") select "id", 'page', "space_id" from "pages";`,
    )
    this.addSql(
      `insert into "origins" ("id", "kind", "space_id") select "id", 'file', "space_id" from "files";`,
    )
  }
}
