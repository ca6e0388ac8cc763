import { compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'

// Each function reads at most `limit` index entries. Call it while holding the lock of the space or account; otherwise
// two concurrent creations could both pass the check.

type Rows = (db: Sql, owner: string, offset: number) => Promise<unknown[]>

/** Whether the owner already has `limit` rows. */
const isFull = async (rows: Rows, db: Sql, owner: string, limit: number): Promise<boolean> =>
  (await rows(db, owner, limit - 1)).length > 0

const inSpace = (table: 'pages' | 'participants'): Rows =>
  compileOnceRows((db, spaceId: string, offset: number) =>
    db.selectFrom(table).where('space_id', '=', spaceId).select('id').offset(offset).limit(1),
  )

const pagesOfSpace = inSpace('pages')
const participantsOfSpace = inSpace('participants')

/** Whether a space has reached its limit of pages. */
export const isSpaceFullOfPages = (db: Sql, spaceId: string, limit: number): Promise<boolean> =>
  isFull(pagesOfSpace, db, spaceId, limit)

/** Whether a space has reached its limit of participants. */
export const isSpaceFullOfParticipants = (db: Sql, spaceId: string, limit: number): Promise<boolean> =>
  isFull(participantsOfSpace, db, spaceId, limit)

const spacesOfAccount = compileOnceRows((db, accountId: string, offset: number) =>
  db.selectFrom('participants').where('account_id', '=', accountId).select('id').offset(offset).limit(1),
)

/** Whether an account has reached its limit of spaces. All spaces that it participates in count. */
export const hasAllSpaces = (db: Sql, accountId: string, limit: number): Promise<boolean> =>
  isFull(spacesOfAccount, db, accountId, limit)

const followsOfAccount = compileOnceRows((db, accountId: string, offset: number) =>
  db.selectFrom('follows').where('follower_id', '=', accountId).select('followed_id').offset(offset).limit(1),
)

/** Whether an account follows `limit` people. */
export const hasAllFollows = (db: Sql, accountId: string, limit: number): Promise<boolean> =>
  isFull(followsOfAccount, db, accountId, limit)

const mutesOfAccount = compileOnceRows((db, accountId: string, offset: number) =>
  db.selectFrom('mutes').where('muter_id', '=', accountId).select('muted_id').offset(offset).limit(1),
)

/** Whether an account has muted or blocked `limit` people. */
export const hasAllMutes = (db: Sql, accountId: string, limit: number): Promise<boolean> =>
  isFull(mutesOfAccount, db, accountId, limit)

const postsOfAccount = (state: 'published' | 'draft'): Rows =>
  compileOnceRows((db, accountId: string, offset: number) =>
    db
      .selectFrom('posts')
      .where('author_id', '=', accountId)
      .where('published_at', state === 'draft' ? 'is' : 'is not', null)
      .select('id')
      .offset(offset)
      .limit(1),
  )

const postsByState = { published: postsOfAccount('published'), draft: postsOfAccount('draft') }

/** Whether an account has reached its limit of published posts, or of drafts. */
export const hasAllPosts = (
  db: Sql,
  accountId: string,
  state: keyof typeof postsByState,
  limit: number,
): Promise<boolean> => isFull(postsByState[state], db, accountId, limit)
