import type { Sql } from '../orm.ts'

/**
 * Whether there are already `limit` rows. Reads at most `limit` index entries. Call it while holding the owner's lock;
 * otherwise two concurrent creations could both pass the check.
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

/** Whether a space has reached its limit of pages, parts or files. */
export const isSpaceFull = (
  db: Sql,
  table: 'pages' | 'parts' | 'files',
  spaceId: string,
  limit: number,
): Promise<boolean> => isFull(db.selectFrom(table).where('space_id', '=', spaceId).select('id'), limit)

/** Whether a space has reached its limit of participants. */
export const isSpaceFullOfPeople = (db: Sql, spaceId: string, limit: number): Promise<boolean> =>
  isFull(db.selectFrom('participants').where('space_id', '=', spaceId).select('id'), limit)

/** Whether an account has reached its limit of spaces. All spaces that it participates in count. */
export const hasAllSpaces = (db: Sql, accountId: string, limit: number): Promise<boolean> =>
  isFull(db.selectFrom('participants').where('account_id', '=', accountId).select('id'), limit)

/** Whether an account has reached its limit of published posts, or of drafts. */
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
