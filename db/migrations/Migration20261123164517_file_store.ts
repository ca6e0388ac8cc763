import { Migration } from '@mikro-orm/migrations'

export class Migration20261123164517_file_store extends Migration {
  override name = 'Migration20261123164517_file_store'

  override up(): void | Promise<void> {
    this.addSql(
      `create table "unused_objects" ("space_id" text collate "C" not null, "digest" bytea not null, "object" text collate "C" not null, "state" text not null, "size" int not null, "since" timestamptz(3) not null, primary key ("space_id", "digest", "object"));`,
    )
    this.addSql(`create index "unused_objects_since_index" on "unused_objects" ("since");`)

    this.addSql(`alter table "blobs" add "object" text collate "C" null;`)
    this.addSql(`alter table "blobs" alter column "bytes" drop not null;`)
    this.addSql(
      `create index "blobs_object_index" on "blobs" ("space_id", "digest") where "object" is not null;`,
    )
    this.addSql(
      `alter table "blobs" add constraint "blobs_one_place" check (num_nonnulls("bytes", "object") = 1);`,
    )

    this.addSql(
      `alter table "unused_objects" add constraint "unused_objects_state_check" check ("state" in ('staged', 'freed', 'deleting'));`,
    )
  }
}
