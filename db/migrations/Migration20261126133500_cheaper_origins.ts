import { Migration } from '@mikro-orm/migrations'

/** Removes what only served the version before `origins` and `space_names`, and a check that slows down new pages. */
export class Migration20261126133500_cheaper_origins extends Migration {
  override name = 'Migration20261126133500_cheaper_origins'

  override up(): void | Promise<void> {
    // Drops the triggers too. Citus refuses `drop trigger` on a distributed table, even if the trigger does not exist.
    this.addSql(`drop function if exists "insert_origin" cascade;`)
    this.addSql(`drop function if exists "insert_space_name" cascade;`)
    this.addSql(`drop function if exists "update_space_name" cascade;`)
    this.addSql(`drop function if exists "delete_space_name" cascade;`)
    this.addSql(`drop index "pages_id_index";`)
    this.addSql(`drop index "files_id_index";`)
    this.addSql(`drop index "spaces_subdomain_index";`)

    this.addSql(`alter table "origins" drop constraint "origins_kind_check";`)
  }
}
