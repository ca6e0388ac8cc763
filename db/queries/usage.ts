/** How often keys and tokens are used, and which of their calls failed. */
import { sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'

/** A key or a token. */
export interface CredentialRef {
  kind: 'key' | 'token'
  id: string
}

/** How many calls had each result. */
export interface CallCounts {
  succeeded: number
  refused: number
  limited: number
  failed: number
}

/** The calls of a credential on one day of UTC, such as `2026-11-27`. */
export interface CountedCalls extends CallCounts, CredentialRef {
  day: string
}

/** A call that did not succeed. */
export interface FailedCallRow {
  at: Date
  method: string
  path: string
  status: number
  code: string
  fields: readonly string[]
  reference: string
}

/**
 * Locks the keys and tokens, of those given, that still exist, so that they are not deleted during the transaction.
 *
 * @returns their ids
 */
export const lockCredentials = async (db: Sql, ids: readonly string[]): Promise<Set<string>> => {
  const lock = (table: 'space_keys' | 'user_tokens') =>
    sql<{ id: string }>`
      select id from ${sql.table(table)} where id = any(${ids}::text[]) order by id for key share`.execute(db)
  const keys = await lock('space_keys')
  const tokens = await lock('user_tokens')
  return new Set([...keys.rows, ...tokens.rows].map(({ id }) => id))
}

/** Adds the calls that a process has counted. Call it in a transaction, after {@link lockCredentials}. */
export const addUsage = (db: Sql, batch: readonly CountedCalls[]) => {
  const numbers = (field: keyof CallCounts) => batch.map(counts => counts[field])
  return sql`
    insert into usage_days (credential, day, key_id, token_id, succeeded, refused, limited, failed)
    select id, day, case kind when 'key' then id end, case kind when 'token' then id end, succeeded, refused, limited,
      failed
    from unnest(${batch.map(({ id }) => id)}::text[], ${batch.map(({ kind }) => kind)}::text[],
      ${batch.map(({ day }) => day)}::date[], ${numbers('succeeded')}::int[], ${numbers('refused')}::int[],
      ${numbers('limited')}::int[], ${numbers('failed')}::int[])
      as given (id, kind, day, succeeded, refused, limited, failed)
    order by id, day
    on conflict (credential, day) do update set
      succeeded = usage_days.succeeded + excluded.succeeded, refused = usage_days.refused + excluded.refused,
      limited = usage_days.limited + excluded.limited, failed = usage_days.failed + excluded.failed`.execute(
    db,
  )
}

/** Adds failed calls. A credential then keeps its newest `kept` ones. Call it after {@link addUsage}. */
export const addFailedCalls = async (
  db: Sql,
  calls: readonly (FailedCallRow & CredentialRef)[],
  kept: number,
): Promise<void> => {
  const idsOf = (wanted: CredentialRef['kind']) => calls.map(({ kind, id }) => (kind === wanted ? id : null))
  await db
    .insertInto('failed_calls')
    .values(
      calls.map(({ kind, id, fields, ...call }) => ({
        ...call,
        fields: [...fields],
        key_id: kind === 'key' ? id : null,
        token_id: kind === 'token' ? id : null,
      })),
    )
    .execute()
  await sql`
    delete from failed_calls where position in (
      select position from (
        select position, row_number() over (partition by key_id, token_id order by at desc, position desc) as place
        from failed_calls where key_id = any(${idsOf('key')}::text[]) or token_id = any(${idsOf('token')}::text[])
      ) as ranked
      where place > ${kept})`.execute(db)
}

/** Whether a space has a key. */
export const hasKey = async (db: Sql, spaceId: string, id: string): Promise<boolean> => {
  const key = await db
    .selectFrom('space_keys as key')
    .innerJoin('participants as issuer', 'issuer.id', 'key.issuer_id')
    .where('issuer.space_id', '=', spaceId)
    .where('key.id', '=', id)
    .select('key.id')
    .executeTakeFirst()
  return key !== undefined
}

/** Whether an account has a token. */
export const hasToken = async (db: Sql, accountId: string, id: string): Promise<boolean> => {
  const token = await db
    .selectFrom('user_tokens')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst()
  return token !== undefined
}

/** The calls of a credential by day, from a day on, oldest first. */
export const listUsageDays = compileOnceRows((db, credential: string, since: string) => ({
  compile: () =>
    sql<{ day: string } & CallCounts>`
      select day::text, succeeded, refused, limited, failed from usage_days
      where credential = ${credential} and day >= ${since}::date order by day`.compile(db),
}))

/** The failed calls of a credential since a time, newest first. */
export const listFailedCalls = compileOnceRows((db, credential: string, since: Date) =>
  db
    .selectFrom('failed_calls')
    .where(eb => eb.or([eb('key_id', '=', credential), eb('token_id', '=', credential)]))
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .orderBy('position', 'desc')
    .select(['at', 'method', 'path', 'status', 'code', 'fields', 'reference']),
)

/** Deletes the figures of days before a day. @returns how many rows were deleted, at most `limit` */
export const deleteUsageDays = async (db: Sql, before: string, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from usage_days where (credential, day) in (
      select credential, day from usage_days where day < ${before}::date order by day limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Deletes failed calls from before a time. @returns how many were deleted, at most `limit` */
export const deleteFailedCalls = async (db: Sql, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from failed_calls where position in (
      select position from failed_calls where at < ${before} order by at limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}
