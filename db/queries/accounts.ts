import { type Insertable, sql } from 'kysely'
import { advisoryLocks } from '../advisory-locks.ts'
import { compileOnce } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'

/**
 * Inserts an account.
 *
 * @throws a violation of `accounts_handle_unique` when the handle is taken
 */
export const insertAccount = (db: Sql, account: Insertable<Tables['accounts']>) =>
  db.insertInto('accounts').values(account).execute()

/** Whether any account exists. */
export const hasAccounts = async (db: Sql): Promise<boolean> =>
  (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined

/** The account with this handle, ignoring case. */
export const findAccountByHandle = (db: Sql, handle: string) =>
  db
    .selectFrom('accounts')
    .where(sql`lower(handle)`, '=', handle.toLowerCase())
    .select(['id', 'handle', 'password_hash'])
    .executeTakeFirst()

/** An account's password hash, null for an account without a password; undefined when the account is deleted. */
export const findPasswordHash = (db: Sql, accountId: string) =>
  db.selectFrom('accounts').where('id', '=', accountId).select('password_hash').executeTakeFirst()

export const updatePasswordHash = (db: Sql, accountId: string, passwordHash: string) =>
  db.updateTable('accounts').set({ password_hash: passwordHash }).where('id', '=', accountId).execute()

/** An account's profile. */
export const findProfile = compileOnce((db, accountId: string) =>
  db
    .selectFrom('accounts as account')
    .leftJoin('icons as icon', 'icon.account_id', 'account.id')
    .where('account.id', '=', accountId)
    .select([
      'account.handle as handle',
      'account.display_name as display_name',
      'account.bio as bio',
      'icon.id as icon_id',
    ]),
)

/**
 * Updates the given fields of a profile.
 *
 * @throws a violation of `accounts_handle_unique`
 */
export const updateProfile = (
  db: Sql,
  accountId: string,
  change: { handle?: string; display_name?: string | null; bio?: string | null },
) => db.updateTable('accounts').set(change).where('id', '=', accountId).execute()

/**
 * Locks an account for a write to its own data, such as its profile, tokens or sessions.
 *
 * @returns whether the account still exists
 */
export const lockAccount = async (db: Sql, accountId: string): Promise<boolean> =>
  (await lockRow(db, accountId)) !== undefined

const lockRow = compileOnce((db, accountId: string) =>
  db.selectFrom('accounts').where('id', '=', accountId).select('id').forNoKeyUpdate(),
)

interface AccountContents {
  posts: number
  comments: number
  likes: number
  tokens: number
  webhooks: number
  files: number
}

/** Counts what is deleted with an account, and the files that it has uploaded. */
export const countAccountContents = async (db: Sql, accountId: string): Promise<AccountContents> => {
  const { rows } = await sql<AccountContents>`select
    (select count(*)::int from posts where author_id = ${accountId}) as posts,
    (select count(*)::int from comments where author_id = ${accountId}) as comments,
    (select count(*)::int from likes where account_id = ${accountId}) as likes,
    (select count(*)::int from user_tokens where account_id = ${accountId}) as tokens,
    (select count(*)::int from webhooks
      where owner_id in (select id from participants where account_id = ${accountId})) as webhooks,
    (select count(*)::int from files where uploaded_by_id = ${accountId}) as files`.execute(db)
  return rows[0]!
}

/** The keys that an account has issued, sorted by space. */
export const listKeysIssuedBy = (db: Sql, accountId: string) =>
  db
    .selectFrom('space_keys as key')
    .innerJoin('participants as issuer', 'issuer.id', 'key.issuer_id')
    .innerJoin('space_names as space', 'space.id', 'issuer.space_id')
    .where('issuer.account_id', '=', accountId)
    .select(['space.subdomain as subdomain', 'key.id as id', 'key.label as label', 'key.hint as hint'])
    .orderBy('space.subdomain')
    .orderBy('key.created_at', 'desc')
    .orderBy('key.id')
    .execute()

/** Lists an account's spaces, sorted by subdomain. Each row says whether the space has no other participant or owner. */
export const listSpacesLeftBy = (db: Sql, accountId: string) =>
  db
    .selectFrom('space_names as space')
    .innerJoin('participants as participant', 'participant.space_id', 'space.id')
    .groupBy(['space.id', 'space.subdomain', 'space.name'])
    .where('space.id', 'in', eb =>
      eb.selectFrom('participants').where('account_id', '=', accountId).select('space_id'),
    )
    .select([
      'space.subdomain as subdomain',
      'space.name as name',
      sql<boolean>`bool_and(participant.account_id = ${accountId})`.as('is_only_participant'),
      sql<boolean>`bool_and(participant.account_id = ${accountId} or participant.role <> 'owner')`.as(
        'is_only_owner',
      ),
    ])
    .orderBy('space.subdomain')
    .execute()

/**
 * Makes account deletions run one at a time. Otherwise, concurrent deletions of two people who commented on each
 * other's posts would lock rows in opposite orders and deadlock.
 */
export const lockDeletions = (db: Sql) =>
  sql`select pg_advisory_xact_lock(${advisoryLocks.accountDeletion})`.execute(db)

/**
 * Locks the spaces of an account in a fixed order, and then the account. While the account is locked, no new row can
 * reference the account. Spaces come before the account because a write to a space's participants uses this order too:
 * the write locks the space first, and references an account after that.
 *
 * @returns whether the account still exists
 */
export const lockAccountWithSpaces = async (db: Sql, accountId: string): Promise<boolean> => {
  const lockSpaces = async () => {
    const participants = await db
      .selectFrom('participants')
      .where('account_id', '=', accountId)
      .select('space_id')
      .orderBy('space_id')
      .execute()
    // One statement for each space, because spaces can be on several servers.
    for (const { space_id } of participants)
      await db.selectFrom('spaces').where('id', '=', space_id).select('id').forUpdate().execute()
  }
  await lockSpaces()
  const account = await db
    .selectFrom('accounts')
    .where('id', '=', accountId)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  // Also lock spaces that the account joined meanwhile. The account is locked now, so it cannot join more.
  await lockSpaces()
  return account !== undefined
}

/**
 * Deletes an account, its notifications, the history of its posts and, by cascade, the rows that depend on it. Files
 * that it uploaded stay; without the account, they have no uploader.
 */
export const deleteAccount = async (db: Sql, accountId: string): Promise<void> => {
  await db.deleteFrom('accounts').where('id', '=', accountId).execute()
  // These rows have no foreign key, so delete them last. Now no more such rows can be added: every write that changed a
  // post or commented on a post has committed, and no new write can start.
  await db.deleteFrom('post_changes').where('account_id', '=', accountId).execute()
  await db.deleteFrom('notifications').where('account_id', '=', accountId).execute()
}

interface AccountUsage {
  spaces: number
  posts: number
  drafts: number
  follows: number
  mutes: number
}

/** Counts an account's resources that are limited. */
export const accountUsage = compileOnce((db, accountId: string) => ({
  compile: () =>
    sql<AccountUsage>`
    select post.*, space.*, follow.*, mute.*
    from
      (select
          (count(*) filter (where published_at is not null))::int as posts,
          (count(*) filter (where published_at is null))::int as drafts
        from posts where author_id = ${accountId}) as post,
      (select count(*)::int as spaces from participants where account_id = ${accountId}) as space,
      (select count(*)::int as follows from follows where follower_id = ${accountId}) as follow,
      (select count(*)::int as mutes from mutes where muter_id = ${accountId}) as mute`.compile(db),
}))
