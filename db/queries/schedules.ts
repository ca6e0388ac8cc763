import { type SqlBool, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'

/** What is scheduled: a row of `schedules` without when and by whom. */
export type Scheduled = Pick<Tables['schedules'], 'action' | 'thing' | 'content'> & { base: Date | null }

/** A schedule to insert. */
export interface NewSchedule extends Scheduled {
  id: string
  spaceId: string
  accountId: string
  dueAt: Date
  /** How many days ahead it can be. */
  maxDays: number
}

/**
 * Inserts a schedule.
 *
 * @returns false if its time is past or too far ahead, by the clock of the database
 * @throws a violation of `schedules_thing_unique` if the same is already scheduled for the page
 */
export const insertSchedule = async (
  db: Sql,
  { id, spaceId, accountId, action, thing, content, base, dueAt, maxDays }: NewSchedule,
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into schedules (id, space_id, account_id, action, thing, content, base, due_at)
    select ${id}, ${spaceId}, ${accountId}, ${action}, ${thing}, ${content}, ${base}::timestamptz, ${dueAt}::timestamptz
    where ${dueAt}::timestamptz > now() and ${dueAt}::timestamptz <= now() + make_interval(days => ${maxDays}::int)
  `.execute(db)
  return numAffectedRows === 1n
}

/** How many schedules a space has, with those that were refused, and how many an account has in all spaces. */
export const countSchedules = async (
  db: Sql,
  spaceId: string,
  accountId: string,
): Promise<{ ofSpace: number; ofAccount: number }> => {
  const { rows } = await sql<{ ofSpace: number; ofAccount: number }>`select
    (select count(*)::int from schedules where space_id = ${spaceId}) as "ofSpace",
    (select count(*)::int from schedules where account_id = ${accountId}) as "ofAccount"`.execute(db)
  return rows[0]!
}

/** The schedules of a space, the next ones first. */
export const listSchedules = (db: Sql, spaceId: string) =>
  db
    .selectFrom('schedules as schedule')
    .innerJoin('accounts as account', 'account.id', 'schedule.account_id')
    .where('schedule.space_id', '=', spaceId)
    .select([
      'schedule.id',
      'schedule.action',
      'schedule.thing',
      'schedule.due_at',
      'schedule.failure',
      'account.handle',
    ])
    .select([
      sql<string | null>`schedule.content::json #>> '{fields,slug}'`.as('slug'),
      sql<boolean>`schedule.action = 'save' and schedule.base is null`.as('is_new'),
    ])
    .orderBy('schedule.due_at')
    .orderBy('schedule.id')
    .execute()

/**
 * Inserts the drafts of scheduled saves that ended without a save, for participants who have no draft of the page any more.
 *
 * @param ended the name of the query that returns the schedules
 */
const keptAsDrafts = (ended: string) => sql`
  insert into drafts (id, account_id, space_id, kind, thing, is_new, content, size, updated_at)
  select id, account_id, space_id, 'page', thing, base is null, content, octet_length(content), now()
  from ${sql.table(ended)} as schedule
  where action = 'save' and exists (
    select from participants as author
    where author.space_id = schedule.space_id and author.account_id = schedule.account_id)
  on conflict do nothing`

/**
 * Removes a schedule of a space. If it was a save that was not carried out yet, its author keeps the draft.
 *
 * @returns whether the space had it
 */
export const cancelSchedule = async (db: Sql, spaceId: string, id: string): Promise<boolean> => {
  const { rows } = await sql`
    with removed as (delete from schedules where space_id = ${spaceId} and id = ${id} returning *),
      cancelled as (select * from removed where failure is null),
      kept as (${keptAsDrafts('cancelled')})
    select id from removed`.execute(db)
  return rows.length > 0
}

/** Removes what was refused for a page, so that it can be scheduled again. */
export const deleteRefusedSchedule = (db: Sql, spaceId: string, { action, thing }: Scheduled) =>
  db
    .deleteFrom('schedules')
    .where('space_id', '=', spaceId)
    .where('thing', '=', thing)
    .where('action', '=', action)
    .where('failure', 'is not', null)
    .execute()

/** Removes the scheduled save of a draft of a new page that its author has saved. */
export const deleteSavedSchedule = (db: Sql, accountId: string, spaceId: string, thing: string) =>
  db
    .deleteFrom('schedules')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('thing', '=', thing)
    .where('action', '=', 'save')
    .where('base', 'is', null)
    .execute()

// What follows is for the processes that carry out what is due.

const isDue = sql<SqlBool>`schedule.failure is null and schedule.due_at <= now()`

/** The spaces for which something is due, those that have waited longest first. */
export const listDueSpaces = compileOnceRows((db, limit: number) =>
  db
    .selectFrom('schedules as schedule')
    .where(isDue)
    .groupBy('schedule.space_id')
    .select('schedule.space_id')
    .orderBy(sql`min(schedule.due_at)`)
    .limit(limit),
)

/** What is due next for a space. */
export const findNextDue = compileOnce((db, spaceId: string) =>
  db
    .selectFrom('schedules as schedule')
    .innerJoin('space_names as space', 'space.id', 'schedule.space_id')
    .where('schedule.space_id', '=', spaceId)
    .where(isDue)
    .select([
      'schedule.id',
      'schedule.space_id',
      'schedule.account_id',
      'schedule.action',
      'schedule.thing',
      'schedule.content',
      'schedule.base',
      'space.subdomain',
    ])
    .orderBy('schedule.due_at')
    .orderBy('schedule.id')
    .limit(1),
)

export type DueSchedule = NonNullable<Awaited<ReturnType<typeof findNextDue>>>

/**
 * Removes a schedule in the transaction that carries it out.
 *
 * @returns false if it was cancelled, or carried out by another process
 */
export const takeSchedule = async (db: Sql, id: string): Promise<boolean> => {
  const { numAffectedRows } =
    await sql`delete from schedules as schedule where id = ${id} and ${isDue}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Records why a schedule was refused, and tells its author or, if the author is no longer a participant, the owners of the
 * space; see `Notification` in `entities/social.ts`. The author of a save keeps the draft.
 *
 * @param slug of the page
 */
export const refuseSchedule = (db: Sql, id: string, failure: string, slug: string) =>
  sql`
    with refused as (
      update schedules as schedule set failure = ${failure} where id = ${id} and ${isDue} returning *
    ), kept as (${keptAsDrafts('refused')})
    insert into notifications (account_id, kind, at, schedule, reason, space_id)
    select person.account_id, 'taken_down', now(), ${slug}, ${failure}, person.space_id
    from refused join participants as person on person.space_id = refused.space_id
    where case
      when exists (select from participants as author
        where author.space_id = refused.space_id and author.account_id = refused.account_id)
      then person.account_id = refused.account_id
      else person.role = 'owner' end`.execute(db)

/** Deletes an account's draft of a page, unless it differs from what was scheduled. */
export const deleteScheduledDraft = (
  db: Sql,
  {
    account_id,
    space_id,
    thing,
    content,
  }: Pick<DueSchedule, 'account_id' | 'space_id' | 'thing' | 'content'>,
) =>
  sql`delete from drafts where account_id = ${account_id} and space_id = ${space_id} and kind = 'page'
    and thing = ${thing} and (content::json -> 'fields')::text = (${content}::json -> 'fields')::text`.execute(
    db,
  )
