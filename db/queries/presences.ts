import { sql } from 'kysely'
import { compileOnceRows, preparedRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'

/** A space that a stream follows. */
export interface FollowedSpace {
  id: string
  subdomain: string
}

interface NewPresence {
  stream: string
  sessionHash: Buffer
  accountId: string
  subdomains: readonly string[]
  now: Date
}

/**
 * Records that a session follows those of the given spaces in which its account participates. Call in a transaction.
 *
 * @returns these spaces
 * @throws a violation of `presences_session_token_hash_foreign` or `presences_participant_id_foreign` if the session or
 * participation has just ended
 */
export const insertPresences = preparedRows((db, presence: NewPresence) => ({
  compile: () =>
    sql<FollowedSpace>`
      with followed as (
        select participant.id as participant_id, space.id, space.subdomain
        from space_names as space join participants as participant on participant.space_id = space.id
        where space.subdomain = any(${presence.subdomains}::text[]) and participant.account_id = ${presence.accountId}
      ), added as (
        insert into presences (stream, participant_id, session_token_hash, seen_at)
        select ${presence.stream}, participant_id, ${presence.sessionHash}::bytea, ${presence.now}::timestamptz from followed
      )
      select id, subdomain from followed`.compile(db),
}))

/** Deletes the presence of streams that have ended. */
export const deletePresences = (db: Sql, streams: readonly string[]) =>
  sql`delete from presences where stream = any(${streams}::text[])`.execute(db)

/** Deletes what processes that were killed have left behind. */
export const deleteStalePresences = (db: Sql, before: Date) =>
  sql`delete from presences where seen_at < ${before}`.execute(db)

/**
 * Records that streams are open. Leaves out those whose sessions have expired.
 *
 * @param idleSince a session whose last use was earlier has ended
 */
export const touchPresences = (db: Sql, streams: readonly string[], now: Date, idleSince: Date) =>
  sql`
    update presences set seen_at = ${now} from sessions as session
    where presences.stream = any(${streams}::text[]) and session.token_hash = presences.session_token_hash
      and session.expires_at > ${now} and session.last_seen_at > ${idleSince}`.execute(db)

/** The open streams of some spaces, with their accounts. */
export const listPresences = compileOnceRows((db, spaceIds: readonly string[], since: Date) => ({
  compile: () =>
    sql<{ stream: string; space_id: string; account_id: string }>`
      select presence.stream, participant.space_id, participant.account_id
      from participants as participant join presences as presence on presence.participant_id = participant.id
      where participant.space_id = any(${spaceIds}::text[]) and presence.seen_at > ${since}`.compile(db),
}))

/** The spaces that a stream may still follow, and since when its account is suspended. */
export const listFollowed = compileOnceRows((db, stream: string, now: Date, idleSince: Date) => ({
  compile: () =>
    sql<{ space_id: string; suspended_at: Date | null }>`
      select participant.space_id, account.suspended_at
      from presences as presence
        join participants as participant on participant.id = presence.participant_id
        join sessions as session on session.token_hash = presence.session_token_hash
        join accounts as account on account.id = session.account_id
      where presence.stream = ${stream} and session.expires_at > ${now} and session.last_seen_at > ${idleSince}`.compile(
      db,
    ),
}))

/** The people who have a space open, by handle. */
export const listPeoplePresent = compileOnceRows((db, spaceId: string, since: Date) => ({
  compile: () =>
    sql<{ handle: string; name: string | null; icon_id: string | null }>`
      select account.handle, account.display_name as name, icon.id as icon_id
      from participants as participant
        join accounts as account on account.id = participant.account_id
        left join icons as icon on icon.account_id = account.id
      where participant.space_id = ${spaceId} and exists (
        select 1 from presences as presence
        where presence.participant_id = participant.id and presence.seen_at > ${since})
      order by account.handle`.compile(db),
}))
