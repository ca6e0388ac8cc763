/** The first answers to calls with an `Idempotency-Key`. They are kept until they are trimmed, and repeated until then. */
import { sql } from 'kysely'
import { compileOnce, compileOnceRows, preparedRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'
import { refusal } from './caller-checks.ts'

/** A new row. One of `keyId` and `tokenId` is null. */
interface NewAnswer {
  digest: Buffer
  keyId: string | null
  tokenId: string | null
  request: Buffer
  answer: string
  now: Date
}

/** The code with which {@link claimAnswer} fails. */
export const UNCLAIMED = 'idempotency_in_progress'

/** Finds the answer to a key, whose digest includes its credential. */
export const findKeptAnswer = compileOnce((db, digest: Buffer) =>
  db.selectFrom('kept_answers').where('digest', '=', digest).select(['request', 'answer']),
)

/**
 * Lets one transaction at a time answer a key: fails, without waiting, if another transaction is answering it, or has
 * answered it. A claim ends with its transaction, also if the process dies.
 *
 * @param lock the number of the lock: the first bytes of the digest
 */
export const claimAnswer = compileOnceRows((db, digest: Buffer, lock: string) =>
  db.selectNoFrom(
    sql<number>`cast(case
        when not pg_try_advisory_xact_lock(${lock}::bigint) then ${refusal(UNCLAIMED)}
        when exists (select from kept_answers where digest = ${digest}) then ${refusal(UNCLAIMED)}
        else '0'
      end as integer)`.as('claimed'),
  ),
)

const insertion = (db: Sql, { digest, keyId, tokenId, request, answer, now }: NewAnswer) =>
  db
    .insertInto('kept_answers')
    .values({ digest, key_id: keyId, token_id: tokenId, request, answer, created_at: now })

/** Keeps an answer, in the transaction of its effect. */
export const insertAnswer = preparedRows((db, answer: NewAnswer) => insertion(db, answer))

/** Keeps an answer unless there is one already. @returns a row if the answer was kept */
export const insertAnswerIfNone = preparedRows((db, answer: NewAnswer) =>
  insertion(db, answer)
    .onConflict(conflict => conflict.column('digest').doNothing())
    .returning('digest'),
)

/** Deletes answers from before a time, oldest first. @returns how many were deleted, at most `limit` */
export const deleteOldAnswers = async (db: Sql, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from kept_answers where digest in (
      select digest from kept_answers where created_at < ${before} order by created_at limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/**
 * Deletes the oldest answers of credentials that have more than `kept`. Checks only credentials with an answer from
 * `since` or later.
 *
 * @returns how many were deleted, at most `limit`
 */
export const deleteExcessAnswers = async (
  db: Sql,
  kept: number,
  since: Date,
  limit: number,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from kept_answers where digest in (
      select digest from (
        select digest, row_number() over (partition by key_id, token_id order by created_at desc) as place
        from kept_answers
        where key_id in (select key_id from kept_answers where created_at >= ${since})
          or token_id in (select token_id from kept_answers where created_at >= ${since})
      ) as answer
      where place > ${kept}
      limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}
