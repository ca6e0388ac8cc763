import { sql } from 'kysely'
import type { Sql } from '../database.ts'

/** A link to insert. */
export interface NewUploadLink {
  tokenHash: Buffer
  spaceId: string
  accountId: string
  keyId: string | null
  agent: string | null
  name: string
  expiresAt: Date
}

/**
 * Inserts a link and deletes expired ones; skips locked rows, which another call is deleting.
 *
 * @returns whether the account still participates in the space
 * @throws a violation of `upload_links_key_id_foreign` when the key was revoked meanwhile
 */
export const insertUploadLink = async (
  db: Sql,
  { tokenHash, spaceId, accountId, keyId, agent, name, expiresAt }: NewUploadLink,
  now: Date,
): Promise<boolean> => {
  await db
    .deleteFrom('upload_links')
    .where('token_hash', 'in', eb =>
      eb
        .selectFrom('upload_links')
        .where('expires_at', '<=', now)
        .select('token_hash')
        .forUpdate()
        .skipLocked(),
    )
    .execute()
  const { numAffectedRows } = await sql`
    insert into upload_links (token_hash, issuer_id, key_id, agent, name, expires_at)
    select ${tokenHash}, id, ${keyId}, ${agent}, ${name}, ${expiresAt}
    from participants where space_id = ${spaceId} and account_id = ${accountId}`.execute(db)
  return numAffectedRows === 1n
}

/** A link with its space, its issuer, and the key that it was created with. */
export const findUploadLink = (db: Sql, tokenHash: Buffer) =>
  db
    .selectFrom('upload_links as link')
    .innerJoin('participants as issuer', 'issuer.id', 'link.issuer_id')
    .innerJoin('space_names as space', 'space.id', 'issuer.space_id')
    .leftJoin('icons as icon', 'icon.space_id', 'space.id')
    .leftJoin('space_keys as key', 'key.id', 'link.key_id')
    .where('link.token_hash', '=', tokenHash)
    .select([
      'link.name as name',
      'link.agent as agent',
      'link.expires_at as expires_at',
      'link.used_at as used_at',
      'key.id as key_id',
      eb => eb.fn.coalesce('key.first_id', 'key.id').as('key_first_id'),
      'key.label as key_label',
      'key.client_id as key_client_id',
      'key.expires_at as key_expires_at',
      'issuer.account_id as account_id',
      'space.id as space_id',
      'space.subdomain as subdomain',
      'space.name as space_name',
      'icon.id as icon_id',
    ])
    .executeTakeFirst()

/** Marks a link as used; of two concurrent uses, one succeeds. @returns whether the link was unused */
export const useUploadLink = async (db: Sql, tokenHash: Buffer, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('upload_links')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
