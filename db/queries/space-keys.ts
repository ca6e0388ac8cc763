import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/**
 * The key with that hash, its issuer and its space, in one query. A key hangs on its issuer's participation,
 * so it is gone the moment that is.
 */
export const findSpaceKey = (db: Sql, secretHash: Buffer) =>
  db
    .selectFrom('space_keys as key')
    .innerJoin('participants as issuer', 'issuer.id', 'key.issuer_id')
    .innerJoin('spaces as space', 'space.id', 'issuer.space_id')
    .leftJoin('icons as icon', 'icon.space_id', 'space.id')
    .where('key.secret_hash', '=', secretHash)
    .select([
      'key.id as key_id',
      'key.scopes as scopes',
      'issuer.account_id as account_id',
      'space.id as space_id',
      'space.subdomain as subdomain',
      'space.name as name',
      'icon.id as icon_id',
    ])
    .executeTakeFirst()

/** Stores when keys were last used, all in one statement. */
export const writeLastUses = async (db: Sql, uses: { id: string; at: Date }[]) => {
  const rows = uses.map(({ id, at }) => sql`(${id}::text, ${at}::timestamptz)`)
  await sql`
    update space_keys set last_used_at = used.at
    from (values ${sql.join(rows)}) as used (id, at)
    where space_keys.id = used.id`.execute(db)
}
