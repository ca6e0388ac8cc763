import { type SqlBool, sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql } from '../database.ts'

/** A link to insert. */
export interface NewPreviewLink {
  id: string
  token: string
  issuerId: string
  thing: string
  days: number
}

/**
 * Inserts a link, which works for a number of days by the clock of the database.
 *
 * @throws a violation of `preview_links_issuer_id_foreign` when the issuer has left the space
 */
export const insertPreviewLink = (db: Sql, { id, token, issuerId, thing, days }: NewPreviewLink) =>
  db
    .insertInto('preview_links')
    .values({
      id,
      token,
      issuer_id: issuerId,
      thing,
      created_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(days => ${days})`,
    })
    .returning(['created_at', 'expires_at'])
    .executeTakeFirstOrThrow()

const isOpen = sql<SqlBool>`link.expires_at > now()`

/** The link with this id, its space, and the account whose draft it shows; undefined if it has expired or was revoked. */
export const findPreviewLink = compileOnce((db, id: string) =>
  db
    .selectFrom('preview_links as link')
    .innerJoin('participants as issuer', 'issuer.id', 'link.issuer_id')
    .innerJoin('space_names as space', 'space.id', 'issuer.space_id')
    .where('link.id', '=', id)
    .where(isOpen)
    .select(['link.token', 'link.thing', 'issuer.account_id', 'issuer.space_id', 'space.subdomain']),
)

/**
 * The links of a space that work, newest first. `draft` is the name in the draft that a link shows, and null without a
 * draft.
 */
export const listPreviewLinks = (db: Sql, spaceId: string) =>
  db
    .selectFrom('preview_links as link')
    .innerJoin('participants as issuer', 'issuer.id', 'link.issuer_id')
    .innerJoin('accounts as account', 'account.id', 'issuer.account_id')
    .leftJoin('drafts as draft', join =>
      join
        .onRef('draft.account_id', '=', 'issuer.account_id')
        .onRef('draft.space_id', '=', 'issuer.space_id')
        .onRef('draft.thing', '=', 'link.thing')
        .on('draft.kind', '=', 'page'),
    )
    .where('issuer.space_id', '=', spaceId)
    .where(isOpen)
    .select([
      'link.id',
      'link.token',
      'link.thing',
      'link.created_at',
      'link.expires_at',
      'account.handle',
      'draft.is_new',
      sql<string | null>`draft.content::json #>> '{fields,slug}'`.as('draft'),
    ])
    .orderBy('link.created_at', 'desc')
    .orderBy('link.id')
    .execute()

const ofSpace = (spaceId: string) =>
  sql<SqlBool>`issuer_id in (select id from participants where space_id = ${spaceId})`

export const countPreviewLinks = async (db: Sql, spaceId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('preview_links')
    .where(ofSpace(spaceId))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes a space's expired links. */
export const deleteEndedPreviewLinks = (db: Sql, spaceId: string) =>
  db.deleteFrom('preview_links').where(ofSpace(spaceId)).where(sql<SqlBool>`expires_at <= now()`).execute()

/**
 * Revokes a link of a space.
 *
 * @returns whether the space had the link
 */
export const deletePreviewLink = async (db: Sql, spaceId: string, id: string): Promise<boolean> =>
  (await db
    .deleteFrom('preview_links')
    .where('id', '=', id)
    .where(ofSpace(spaceId))
    .where(sql<SqlBool>`expires_at > now()`)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Lets the links to an account's draft of a new page go on to the page that the draft was saved as. */
export const movePreviewLinks = (
  db: Sql,
  accountId: string,
  spaceId: string,
  { from, to }: { from: string; to: string },
) =>
  db
    .updateTable('preview_links')
    .set({ thing: to })
    .where('thing', '=', from)
    .where(
      sql<SqlBool>`issuer_id = (select id from participants where space_id = ${spaceId} and account_id = ${accountId})`,
    )
    .execute()
