import type { Sql } from '../orm.ts'

const ROTATED = ['label', 'scopes', 'created_at', 'expires_at', 'replaced_at'] as const

/** Returns a key of the space with the fields that its rotation needs. Never returns the key of an OAuth client. */
export const findKeyToRotate = (db: Sql, spaceId: string, id: string) =>
  db
    .selectFrom('space_keys')
    .where('id', '=', id)
    .where('client_id', 'is', null)
    .where('issuer_id', 'in', eb =>
      eb.selectFrom('participants').where('space_id', '=', spaceId).select('id'),
    )
    .select(ROTATED)
    .select(eb => eb.fn.coalesce('first_id', 'id').as('first_id'))
    .executeTakeFirst()

/** Marks a key as replaced and sets its expiry. */
export const replaceSpaceKey = (db: Sql, id: string, replacedAt: Date, expiresAt: Date) =>
  db
    .updateTable('space_keys')
    .set({ replaced_at: replacedAt, expires_at: expiresAt })
    .where('id', '=', id)
    .execute()

/** Returns an account's token with the fields that its rotation needs. Never returns the token of an OAuth client. */
export const findTokenToRotate = (db: Sql, accountId: string, id: string) =>
  db
    .selectFrom('user_tokens')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('client_id', 'is', null)
    .select(ROTATED)
    .executeTakeFirst()

/** Marks a token as replaced and sets its expiry. */
export const replaceUserToken = (db: Sql, id: string, replacedAt: Date, expiresAt: Date) =>
  db
    .updateTable('user_tokens')
    .set({ replaced_at: replacedAt, expires_at: expiresAt })
    .where('id', '=', id)
    .execute()
