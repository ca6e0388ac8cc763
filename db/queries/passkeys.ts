import type { Insertable } from 'kysely'
import type { Sql, Tables } from '../database.ts'

/** Inserts a challenge and deletes expired ones; skips locked rows, which another call is deleting. */
export const insertChallenge = async (
  db: Sql,
  challenge: Insertable<Tables['passkey_challenges']>,
  now: Date,
) => {
  await db
    .deleteFrom('passkey_challenges')
    .where('challenge', 'in', eb =>
      eb
        .selectFrom('passkey_challenges')
        .where('expires_at', '<=', now)
        .select('challenge')
        .forUpdate()
        .skipLocked(),
    )
    .execute()
  await db.insertInto('passkey_challenges').values(challenge).execute()
}

/**
 * Deletes a challenge, so that it can be answered only once.
 *
 * @returns whether it was open for this purpose and account
 */
export const consumeChallenge = async (
  db: Sql,
  challenge: string,
  purpose: Tables['passkey_challenges']['purpose'],
  accountId: string | null,
  now: Date,
): Promise<boolean> =>
  (await db
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where('account_id', 'is not distinct from', accountId)
    .where('expires_at', '>', now)
    .returning('purpose')
    .executeTakeFirst()) !== undefined

export const insertPasskey = (db: Sql, passkey: Insertable<Tables['passkeys']>) =>
  db.insertInto('passkeys').values(passkey).execute()

/** An account's passkeys, oldest first. */
export const listPasskeys = (db: Sql, accountId: string) =>
  db
    .selectFrom('passkeys')
    .where('account_id', '=', accountId)
    .select(['id', 'label', 'credential_id', 'transports', 'backed_up', 'created_at', 'last_used_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** The passkey with this credential id, and its account. */
export const findPasskey = (db: Sql, credentialId: string) =>
  db
    .selectFrom('passkeys as passkey')
    .innerJoin('accounts as account', 'account.id', 'passkey.account_id')
    .where('passkey.credential_id', '=', credentialId)
    .select([
      'passkey.id as id',
      'passkey.public_key as public_key',
      'passkey.counter as counter',
      'account.id as account_id',
      'account.handle as handle',
    ])
    .executeTakeFirst()

/**
 * Records a use of a passkey. Of two concurrent uses with the same counter, only one is recorded.
 *
 * @param counter the authenticator's current counter; 0 if the authenticator does not count
 * @returns whether the use is valid: the counter has increased, or the authenticator does not count
 */
export const recordPasskeyUse = async (
  db: Sql,
  id: string,
  { counter, backedUp, now }: { counter: number; backedUp: boolean; now: Date },
): Promise<boolean> =>
  (await db
    .updateTable('passkeys')
    .set({ counter: String(counter), backed_up: backedUp, last_used_at: now })
    .where('id', '=', id)
    .where(eb => (counter === 0 ? eb('counter', '=', '0') : eb('counter', '<', String(counter))))
    .returning('id')
    .executeTakeFirst()) !== undefined

/**
 * Renames a passkey.
 *
 * @returns whether the account had the passkey
 */
export const renamePasskey = async (
  db: Sql,
  accountId: string,
  id: string,
  label: string,
): Promise<boolean> =>
  (await db
    .updateTable('passkeys')
    .set({ label })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined

/**
 * Deletes a passkey.
 *
 * @returns whether the account had the passkey
 */
export const deletePasskey = async (db: Sql, accountId: string, id: string): Promise<boolean> =>
  (await db
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined
