import { sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'

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
