import type { Sql } from '../orm.ts'

/**
 * Whether there are already `limit` rows, so that one more would be too many. Reads at most `limit` index entries.
 * Call under the lock of the owner, or two creations at once could each fit.
 */
const isFull = async (
  query: { offset(count: number): { limit(count: number): { execute(): Promise<unknown[]> } } },
  limit: number,
): Promise<boolean> =>
  (
    await query
      .offset(limit - 1)
      .limit(1)
      .execute()
  ).length > 0

/** Whether a space has as many pages, parts or files as it can have. */
export const isSpaceFull = (
  db: Sql,
  table: 'pages' | 'parts' | 'files',
  spaceId: string,
  limit: number,
): Promise<boolean> => isFull(db.selectFrom(table).where('space_id', '=', spaceId).select('id'), limit)

/** Whether a space has as many participants as it can have. */
export const isSpaceFullOfPeople = (db: Sql, spaceId: string, limit: number): Promise<boolean> =>
  isFull(db.selectFrom('participants').where('space_id', '=', spaceId).select('id'), limit)

/** Whether an account participates in as many spaces as it can create. */
export const hasAllSpaces = (db: Sql, accountId: string, limit: number): Promise<boolean> =>
  isFull(db.selectFrom('participants').where('account_id', '=', accountId).select('id'), limit)

/** Whether an account has as many published posts, or drafts, as it can have. */
export const hasAllPosts = (
  db: Sql,
  accountId: string,
  state: 'published' | 'draft',
  limit: number,
): Promise<boolean> =>
  isFull(
    db
      .selectFrom('posts')
      .where('author_id', '=', accountId)
      .where('published_at', state === 'draft' ? 'is' : 'is not', null)
      .select('id'),
    limit,
  )
