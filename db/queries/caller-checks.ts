/**
 * Statements that check a caller once more, in the transaction that writes. Each of them fails if the caller may no
 * longer write, so that it can be sent together with the write and with the commit: no code has to wait for its result.
 */
import { type RawBuilder, sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'

/** The start of the text whose conversion to a number fails. The code of the refusal follows. */
const REFUSED = 'refused caller: '
const PATTERN = new RegExp(`${REFUSED}(\\w+)(?:: ([^]*?))?["»”]?$`)

/** PostgreSQL's code for a text that does not represent a number. */
const INVALID_TEXT = '22P02'

/** The code of a refusal, and the reason of a suspension. */
export interface Refusal {
  code: string
  reason: string | undefined
}

/** Returns why a check refused the caller; undefined for all other errors. */
export const callerRefusal = (error: unknown): Refusal | undefined => {
  if (!(error instanceof Error && 'code' in error && error.code === INVALID_TEXT)) return undefined
  const [, code, reason] = PATTERN.exec(error.message) ?? []
  return code === undefined ? undefined : { code, reason }
}

/** Returns an expression with the text that makes a check fail. */
export const refusal = (code: string) => sql<string>`${sql.lit(REFUSED)} || ${code}::text`

/**
 * Returns an expression that fails unless a subquery finds a row with null.
 *
 * @param refusalIfAny a subquery for the caller's credential. Its value is null, or a `refusal`
 * @param missing the code of the refusal if the subquery finds no row
 */
const allows = (refusalIfAny: RawBuilder<string | null>, missing: string) => sql<number>`cast(coalesce(
    (select coalesce(refused, '0') from (${refusalIfAny}) as caller (refused)), ${refusal(missing)}) as integer)`

const hasScope = (column: string, needed: readonly string[]) =>
  sql<boolean>`(cardinality(${needed}::text[]) = 0 or ${sql.ref(column)} && ${needed}::text[])`

/** Checks the key with this hash: it exists, has not expired, and has one of the scopes, if there are any. */
export const checkSpaceKey = compileOnceRows((db, hash: Buffer, scopes: readonly string[], now: Date) =>
  db.selectNoFrom(
    allows(
      sql`select case
          when key.expires_at <= ${now} then ${refusal('unauthorized')}
          when not ${hasScope('key.scopes', scopes)} then ${refusal('insufficient_scope')}
        end
        from space_keys as key where key.secret_hash = ${hash}`,
      'unauthorized',
    ).as('allowed'),
  ),
)

/**
 * Checks the token with this hash: it exists, has not expired, and has one of the scopes, if there are any.
 *
 * @param isPublic whether the call is refused while the account is suspended
 */
export const checkUserToken = compileOnceRows(
  (db, hash: Buffer, scopes: readonly string[], isPublic: boolean, now: Date) =>
    db.selectNoFrom(
      allows(
        sql`select case
            when token.expires_at <= ${now} then ${refusal('unauthorized')}
            when not ${hasScope('token.scopes', scopes)} then ${refusal('insufficient_scope')}
            when ${isPublic}::boolean and account.suspended_at is not null
              then ${refusal('insufficient_scope')} || ': ' || account.suspension_reason
          end
          from user_tokens as token join accounts as account on account.id = token.account_id
          where token.secret_hash = ${hash}`,
        'unauthorized',
      ).as('allowed'),
    ),
)

/**
 * Checks the session with this hash.
 *
 * @param missing the code of the refusal if the session has ended
 * @param isPublic whether the call is refused while the account is suspended
 */
export const checkSession = compileOnceRows(
  (db, hash: Buffer, missing: string, isPublic: boolean, now: Date) =>
    db.selectNoFrom(
      allows(
        sql`select case
            when ${isPublic}::boolean and account.suspended_at is not null
              then ${refusal('account_suspended')} || ': ' || account.suspension_reason
          end
          from sessions as session join accounts as account on account.id = session.account_id
          where session.token_hash = ${hash} and session.expires_at > ${now}`,
        missing,
      ).as('allowed'),
    ),
)

/**
 * Checks the session with this hash, and that its account participates in a space, as an owner if `ownersOnly` is set. See
 * {@link checkSession}.
 */
export const checkParticipant = compileOnceRows(
  (db, hash: Buffer, spaceId: string, ownersOnly: boolean, missing: string, now: Date) =>
    db.selectNoFrom(
      allows(
        sql`select case
            when participant.id is null then ${refusal('space_not_found')}
            when ${ownersOnly}::boolean and participant.role <> 'owner' then ${refusal('owners_only')}
          end
          from sessions as session left join participants as participant
            on participant.account_id = session.account_id and participant.space_id = ${spaceId}
          where session.token_hash = ${hash} and session.expires_at > ${now}`,
        missing,
      ).as('allowed'),
    ),
)

/** Checks that an account participates in a space. */
export const checkParticipation = compileOnceRows((db, accountId: string, spaceId: string) =>
  db.selectNoFrom(
    allows(
      sql`select null::text from participants where account_id = ${accountId} and space_id = ${spaceId}`,
      'space_not_found',
    ).as('allowed'),
  ),
)

/** Checks the upload link with this hash, and the key that it was created with. */
export const checkUploadLink = compileOnceRows((db, hash: Buffer, now: Date) =>
  db.selectNoFrom(
    allows(
      sql`select case
          when link.expires_at <= ${now} or key.client_id is null and key.expires_at <= ${now}
            then ${refusal('upload_link_not_found')}
        end
        from upload_links as link left join space_keys as key on key.id = link.key_id
        where link.token_hash = ${hash}`,
      'upload_link_not_found',
    ).as('allowed'),
  ),
)

/** Checks that an account still has the password that was verified. */
export const checkPassword = compileOnceRows((db, accountId: string, passwordHash: string) =>
  db.selectNoFrom(
    allows(
      sql`select null::text from accounts where id = ${accountId} and password_hash = ${passwordHash}`,
      'sign_in_failed',
    ).as('allowed'),
  ),
)
