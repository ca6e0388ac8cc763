import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Sql } from '../database.ts'
import type { PostCursor } from './posts.ts'

/** Returns an SQL condition: the reader has neither muted nor blocked the account whose id is in the column. */
export const isUnmutedBy = (readerId: string, column: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} not in (select muted_id from mutes where muter_id = ${readerId})`

/** Returns an SQL condition: the reader has not blocked the account whose id is in the column. */
export const isUnblockedBy = (readerId: string, column: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} not in (select muted_id from mutes where muter_id = ${readerId} and is_block)`

/** Returns an SQL condition on two columns with ids: the first account has neither muted nor blocked the second. */
export const hasNotMuted = (muter: string, muted: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`not exists (select from mutes where muter_id = ${sql.ref(muter)} and muted_id = ${sql.ref(muted)})`

/** Returns an SQL condition: the account whose id is in the column has blocked the person. */
export const hasBlocked = (column: string, personId: string): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from mutes where muter_id = ${sql.ref(column)} and muted_id = ${personId} and is_block)`

/** A person who mutes or blocks another. */
interface MutePair {
  muterId: string
  mutedId: string
}

/**
 * Mutes or blocks a person. Muting has no effect if the person is already muted or blocked. Blocking a muted
 * person turns the mute into a block.
 *
 * @returns whether the person was neither muted nor blocked before
 * @throws a violation of `mutes_muted_id_foreign` when the muted account was deleted
 */
export const insertMute = async (
  db: Sql,
  { muterId, mutedId }: MutePair,
  { isBlock, now }: { isBlock: boolean; now: Date },
): Promise<boolean> => {
  const inserted = await db
    .insertInto('mutes')
    .values({ muter_id: muterId, muted_id: mutedId, is_block: isBlock, created_at: now })
    .onConflict(conflict => conflict.doNothing())
    .returning('muted_id')
    .executeTakeFirst()
  if (inserted === undefined && isBlock)
    await db
      .updateTable('mutes')
      .set({ is_block: true })
      .where('muter_id', '=', muterId)
      .where('muted_id', '=', mutedId)
      .execute()
  return inserted !== undefined
}

/** Makes two people stop following each other. */
export const deleteFollowsBetween = (db: Sql, { muterId, mutedId }: MutePair) =>
  db
    .deleteFrom('follows')
    .where(eb =>
      eb.or([
        eb.and([eb('follower_id', '=', muterId), eb('followed_id', '=', mutedId)]),
        eb.and([eb('follower_id', '=', mutedId), eb('followed_id', '=', muterId)]),
      ]),
    )
    .execute()

export const deleteMute = (db: Sql, { muterId, mutedId }: MutePair) =>
  db.deleteFrom('mutes').where('muter_id', '=', muterId).where('muted_id', '=', mutedId).execute()

/** Whether an account has muted or blocked another; null for neither. */
export const findMute = async (
  db: Sql,
  muterId: string,
  mutedId: string,
): Promise<'muted' | 'blocked' | null> => {
  const row = await db
    .selectFrom('mutes')
    .where('muter_id', '=', muterId)
    .where('muted_id', '=', mutedId)
    .select('is_block')
    .executeTakeFirst()
  return row ? (row.is_block ? 'blocked' : 'muted') : null
}

/** Whether the author of a post has blocked an account. */
export const isBlockedByAuthor = async (db: Sql, accountId: string, postId: string): Promise<boolean> =>
  (await db
    .selectFrom('posts as post')
    .where('post.id', '=', postId)
    .where(hasBlocked('post.author_id', accountId))
    .select('post.id')
    .executeTakeFirst()) !== undefined

/** One page of the people that an account has muted or blocked, latest first. */
export const listMutes = (db: Sql, muterId: string, after: PostCursor | null, limit: number) =>
  db
    .selectFrom('mutes as mute')
    .innerJoin('accounts as person', 'person.id', 'mute.muted_id')
    .leftJoin('icons as icon', 'icon.account_id', 'person.id')
    .where('mute.muter_id', '=', muterId)
    .$if(after !== null, query =>
      query.where(
        sql<boolean>`(mute.created_at, mute.position) < (${after?.at}::timestamptz, ${after?.position}::bigint)`,
      ),
    )
    .select([
      'person.handle as handle',
      'person.display_name as display_name',
      'icon.id as icon_id',
      'mute.is_block as is_blocked',
      'mute.created_at as created_at',
      'mute.position as position',
    ])
    .orderBy('mute.created_at', 'desc')
    .orderBy('mute.position', 'desc')
    .limit(limit)
    .execute()

/** How many people an account has muted or blocked. */
export const countMutes = async (db: Sql, muterId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('mutes')
    .where('muter_id', '=', muterId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}
