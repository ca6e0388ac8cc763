import { Migration } from '@mikro-orm/migrations'

export class Migration20261123195124_compressed_bytes extends Migration {
  override name = 'Migration20261123195124_compressed_bytes'

  override up(): void | Promise<void> {
    this.addSql(`alter table "blobs" add "incompressible" boolean not null default false;`)
  }
}
