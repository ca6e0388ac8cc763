import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

interface AccountContents {
  posts: number
  comments: number
  likes: number
  tokens: number
  files: number
}

/** Counts what is deleted with an account, and the files that it has uploaded. */
export const countAccountContents = async (db: Sql, accountId: string): Promise<AccountContents> => {
  const { rows } = await sql<AccountContents>`select
    (select count(*)::int from posts where author_id = ${accountId}) as posts,
    (select count(*)::int from comments where author_id = ${accountId}) as comments,
    (select count(*)::int from likes where account_id = ${accountId}) as likes,
    (select count(*)::int from user_tokens where account_id = ${accountId}) as tokens,
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

/** Lists an account's spaces, sorted by subdomain. Each row says whether the space has no other participant. */
export const listSpacesWithSoleParticipant = (db: Sql, accountId: string) =>
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
    ])
    .orderBy('space.subdomain')
    .execute()
