import { type SqlBool, sql } from 'kysely'
import type { Sql, Tables } from '../database.ts'

export type AuditKind = Tables['audit_events']['kind']

/** The space or the account that an event belongs to. */
export type AuditOwner = { spaceId: string } | { accountId: string }

/** An event to record. */
export interface NewAuditEvent {
  owner: AuditOwner
  kind: AuditKind
  /** The account behind the caller; null if the caller had not signed in. */
  actor: string | null
  /** The label of the key or token that was used; null for a person. */
  actorLabel: string | null
  /** Labels, scopes and names; never a secret. */
  details: Record<string, unknown>
}

/** Records events in the transaction of the actions that they describe. */
export const insertAuditEvents = async (db: Sql, events: readonly NewAuditEvent[]): Promise<void> => {
  if (events.length === 0) return
  const at = new Date()
  await db
    .insertInto('audit_events')
    .values(
      events.map(({ owner, kind, actor, actorLabel, details }) => ({
        at,
        space_id: 'spaceId' in owner ? owner.spaceId : null,
        account_id: 'accountId' in owner ? owner.accountId : null,
        kind,
        actor,
        actor_label: actorLabel,
        details: JSON.stringify(details),
        count: 1,
      })),
    )
    .execute()
}

/** Why what a person has issued in a space ends. */
export interface EndedByRole {
  accountId: string
  /** Null for all spaces of the account. */
  spaceId: string | null
  /** The account that caused it. */
  actor: string
  details: Record<string, unknown>
}

/**
 * Deletes the keys that an account issued, in one space or in all of its spaces, and records the revocation of the keys
 * that still worked. Call in the transaction in which the account leaves or becomes an editor.
 */
export const endKeysOfIssuer = (db: Sql, { accountId, spaceId, actor, details }: EndedByRole, now: Date) =>
  sql`
    with ended as (
      delete from space_keys as key using participants as issuer
      where issuer.id = key.issuer_id and issuer.account_id = ${accountId}
        and (${spaceId}::text is null or issuer.space_id = ${spaceId})
      returning issuer.space_id, key.label, key.scopes, key.client_id, key.expires_at, key.created_at)
    insert into audit_events (at, space_id, kind, actor, details, count)
    select ${now}::timestamptz, space_id, 'key_revoked', ${actor},
      jsonb_build_object('label', label, 'scopes', scopes) || ${JSON.stringify(details)}::jsonb, 1
    from ended where client_id is not null or expires_at is null or expires_at > ${now}
    order by created_at`.execute(db)

/** Records that an account leaves all of its spaces, in the transaction that deletes the account. */
export const recordLeavingAllSpaces = (db: Sql, accountId: string) =>
  sql`
    insert into audit_events (at, space_id, kind, actor, details, count)
    select ${new Date()}::timestamptz, space_id, 'participant_left', account_id, '{}', 1
    from participants where account_id = ${accountId}`.execute(db)

/** An event that is counted by the hour. */
export interface CountedEvent extends NewAuditEvent {
  /** The time of the first event that `count` includes. */
  at: Date
  count: number
  /** Identifies the hour, caller and reason. */
  bucket: string
}

/**
 * Inserts counted events, or adds their counts to the existing events of the same hour, caller and reason. Skips events
 * of deleted spaces and accounts. Writes the rows in a fixed order, so that two processes that count the same events do
 * not deadlock.
 */
export const countAuditEvents = async (db: Sql, events: readonly CountedEvent[]): Promise<void> => {
  const rows = events.map(
    ({ owner, at, kind, actor, actorLabel, details, count, bucket }) => sql`(
      ${at}::timestamptz, ${'spaceId' in owner ? owner.spaceId : null}::text,
      ${'accountId' in owner ? owner.accountId : null}::text, ${kind}::text, ${actor}::text, ${actorLabel}::text,
      ${JSON.stringify(details)}::jsonb, ${count}::int, ${bucket}::text)`,
  )
  await sql`
    insert into audit_events (at, space_id, account_id, kind, actor, actor_label, details, count, bucket)
    select event.at, space.id, account.id, event.kind, event.actor, event.actor_label, event.details, event.count,
      event.bucket
    from (values ${sql.join(rows)})
      as event (at, space_id, account_id, kind, actor, actor_label, details, count, bucket)
    left join space_names as space on space.id = event.space_id
    left join accounts as account on account.id = event.account_id
    where coalesce(space.id, account.id) is not null
    order by event.bucket
    on conflict (bucket) do update set count = audit_events.count + excluded.count`.execute(db)
}

/** Selects the events to list. */
export interface AuditFilter {
  kinds: readonly AuditKind[]
  /**
   * Only events for which one of these contains this text: the handle of the person who caused the event, the label of
   * the key or token that caused the event, or the label of the key or token that the event is about. Ignores case.
   * Finds no events by deleted accounts.
   */
  who?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
  /** The position of the last event of the previous page. */
  before: string | null
}

/** The account that issued a key, if the event says that someone else revoked the key; otherwise null. */
const issuerOf = sql<string>`event.details ->> 'issuer'`

const hasText = (column: string, text: string) =>
  sql<SqlBool>`position(lower(${text}) in lower(${sql.ref(column)})) > 0`

/**
 * Returns a page of the events of an owner (a space or an account), newest first. Each event has the handle of the
 * account that caused the event.
 *
 * The query is written so that PostgreSQL reads few rows. PostgreSQL should use the index on the owner, because an
 * owner has a limited number of events. If the time range is short, PostgreSQL may instead read all events in that
 * range.
 *
 * - The query sorts by the owner first, and only the index on the owner has this order. The query also compares the
 *   owner with `>=` and `<=`. With `=`, PostgreSQL could use the order of the primary key instead. It would then read
 *   the events of all owners.
 * - The lateral joins read only the accounts that are needed. With other joins, PostgreSQL could read all accounts.
 */
export const listAuditEvents = (
  db: Sql,
  owner: AuditOwner,
  { kinds, who, since, until, before }: AuditFilter,
  limit: number,
) => {
  const [column, id] =
    'spaceId' in owner
      ? (['event.space_id', owner.spaceId] as const)
      : (['event.account_id', owner.accountId] as const)
  return db
    .selectFrom('audit_events as event')
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('accounts')
          .whereRef('accounts.id', '=', 'event.actor')
          .select('handle')
          .limit(1)
          .as('account'),
      join => join.onTrue(),
    )
    .leftJoinLateral(
      eb => eb.selectFrom('accounts').where('accounts.id', '=', issuerOf).select('id').limit(1).as('issuer'),
      join => join.onTrue(),
    )
    .where(column, '>=', id)
    .where(column, '<=', id)
    .where('event.kind', 'in', kinds)
    .$if(who !== undefined, query =>
      query
        .where(eb =>
          eb.or([
            hasText('account.handle', who!),
            hasText('event.actor_label', who!),
            eb.and([
              sql<SqlBool>`position(lower(${who}) in lower(event.details ->> 'label')) > 0`,
              eb('issuer.id', 'is not distinct from', issuerOf),
            ]),
          ]),
        )
        // A label can be the name of a person, so the filter must not reveal labels of deleted accounts.
        .where(eb => eb.or([eb('event.actor', 'is', null), eb('account.handle', 'is not', null)])),
    )
    .$if(since !== undefined, query => query.where('event.at', '>=', since!))
    .$if(until !== undefined, query => query.where('event.at', '<', until!))
    .$if(before !== null, query => query.where('event.position', '<', before!))
    .select(['event.position', 'event.at', 'event.kind', 'event.actor', 'event.actor_label'])
    .select(['event.details', 'event.count', 'account.handle as handle'])
    .select(eb => eb('issuer.id', 'is distinct from', issuerOf).as('is_issuer_deleted'))
    .orderBy(column, 'desc')
    .orderBy('event.position', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes events from before a time. @returns how many were deleted, at most `limit` */
export const deleteOldAuditEvents = async (db: Sql, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from audit_events where position in (
      select position from audit_events where at < ${before} order by at limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

/** Details that differ between events of the same kind. A merged event does not have them. */
const MERGED_AWAY = ['label', 'issuer', 'scopes', 'item', 'items', 'user_agent']

/**
 * Shortens the audit logs of spaces and accounts that have more than `kept` events of one kind. The newest events stay.
 * Older events are merged or deleted:
 *
 * - Events that were recorded one by one are merged. All events of one person and hour become one event, with the sum
 *   of their counts.
 * - Events that were counted instead of recorded one by one, and events that were merged before, are deleted.
 *
 * @param since only logs with an event at this time or later are checked
 * @returns how many events were merged or deleted; less than `limit` if there are no more
 */
export const shortenAuditLogs = async (
  db: Sql,
  kept: number,
  since: Date,
  limit: number,
): Promise<number> => {
  let shortened = 0
  for (const owner of [sql.ref('space_id'), sql.ref('account_id')]) {
    const { rows } = await sql<{ n: number }>`
      with excess as (
        delete from audit_events where position in (
          select ranked.position
          from (select distinct ${owner} as id from audit_events where at >= ${since} and ${owner} is not null) as active,
            lateral (
              select position, row_number() over (partition by kind, bucket is null order by position desc) as place
              from audit_events where ${owner} = active.id) as ranked
          where ranked.place > ${kept}
          limit ${limit - shortened})
        returning audit_events.*, floor(extract(epoch from at) / 3600) as hour, details - ${MERGED_AWAY}::text[] as rest
      ), merged as (
        insert into audit_events (position, at, space_id, account_id, kind, actor, details, count, bucket)
        select max(position), min(at), space_id, account_id, kind, actor, rest, sum(count),
          concat_ws(' ', 'merged', ${owner}, kind, actor, hour, rest)
        from excess where bucket is null
        group by space_id, account_id, kind, actor, hour, rest
        on conflict (bucket) do update set count = audit_events.count + excluded.count
      )
      select count(*)::int as n from excess`.execute(db)
    shortened += rows[0]!.n
  }
  return shortened
}
