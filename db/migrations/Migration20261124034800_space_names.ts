import { Migration } from '@mikro-orm/migrations'

export class Migration20261124034800_space_names extends Migration {
  override name = 'Migration20261124034800_space_names'

  override up(): void | Promise<void> {
    // The constraint moves to "space_names" with its name, which the previous version knows.
    this.addSql(`alter table "spaces" drop constraint "spaces_subdomain_unique";`)
    this.addSql(`create index "spaces_subdomain_index" on "spaces" ("subdomain");`)
    this.addSql(
      `create table "space_names" ("id" text collate "C" not null, "subdomain" text not null, "name" text not null, primary key ("id"));`,
    )
    this.addSql(`alter table "space_names" add constraint "spaces_subdomain_unique" unique ("subdomain");`)

    // Processes of the previous version write only to "spaces". The next version can drop the triggers, together with
    // spaces_subdomain_index, which only the previous version uses.
    this.addSql(
      `create or replace function "insert_space_name"() returns trigger language plpgsql as $$ begin insert into "space_names" ("id", "subdomain", "name") values (new."id", new."subdomain", new."name") on conflict ("id") do nothing; return null; end $$;`,
    )
    this.addSql(
      `create or replace function "update_space_name"() returns trigger language plpgsql as $$ begin update "space_names" set "name" = new."name" where "id" = new."id" and "name" <> new."name"; return null; end $$;`,
    )
    this.addSql(
      `create or replace function "delete_space_name"() returns trigger language plpgsql as $$ begin delete from "space_names" where "id" = old."id"; return null; end $$;`,
    )
    this.addSql(
      `create trigger "spaces_name_inserted" after insert on "spaces" for each row execute function "insert_space_name"();`,
    )
    this.addSql(
      `create trigger "spaces_name_updated" after update of "name" on "spaces" for each row execute function "update_space_name"();`,
    )
    this.addSql(
      `create trigger "spaces_name_deleted" after delete on "spaces" for each row execute function "delete_space_name"();`,
    )
    this.addSql(
      `insert into "space_names" ("id", "subdomain", "name") select "id", "subdomain", "name" from "spaces";`,
    )

    this.addSql(`alter table "participants" drop constraint "participants_space_id_foreign";`)
    this.addSql(
      `alter table "participants" add constraint "participants_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )
    this.addSql(`alter table "origins" drop constraint "origins_space_id_foreign";`)
    this.addSql(
      `alter table "origins" add constraint "origins_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )
    this.addSql(`alter table "icons" drop constraint "icons_space_id_foreign";`)
    this.addSql(
      `alter table "icons" add constraint "icons_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )
    this.addSql(`alter table "drafts" drop constraint "drafts_space_id_foreign";`)
    this.addSql(
      `alter table "drafts" add constraint "drafts_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )
    this.addSql(`alter table "audit_events" drop constraint "audit_events_space_id_foreign";`)
    this.addSql(
      `alter table "audit_events" add constraint "audit_events_space_id_foreign" foreign key ("space_id") references "space_names" ("id") on delete cascade;`,
    )

    this.addSql(`create table "deleted_spaces" ("id" text collate "C" not null, primary key ("id"));`)

    // A file outlives the account of its uploader.
    this.addSql(`alter table "files" drop constraint "files_uploaded_by_id_foreign";`)
  }
}
