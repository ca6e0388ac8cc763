import { type Insertable, type Selectable, sql } from 'kysely'
import type { Sql, Tables } from '../database.ts'

export type Role = Selectable<Tables['participants']>['role']

/** The participants of a space, in the order in which they joined. */
export const listParticipants = (db: Sql, spaceId: string) =>
  db
    .selectFrom('participants as participant')
    .innerJoin('accounts as account', 'account.id', 'participant.account_id')
    .where('participant.space_id', '=', spaceId)
    .select([
      'participant.id as id',
      'account.handle as handle',
      'participant.joined_at as joined_at',
      'participant.role as role',
    ])
    .orderBy('participant.joined_at')
    .orderBy('participant.id')
    .execute()

/**
 * Adds a participant to a space.
 *
 * @throws a violation of `participants_space_account_unique` when the account already participates, or of
 * `participants_account_id_foreign` when it was deleted
 */
export const insertParticipant = (db: Sql, participant: Insertable<Tables['participants']>) =>
  db.insertInto('participants').values(participant).execute()

/** A participant of a space; undefined if the space has no participant with this id. */
export const findParticipant = (db: Sql, spaceId: string, id: string) =>
  db
    .selectFrom('participants as participant')
    .innerJoin('accounts as account', 'account.id', 'participant.account_id')
    .where('participant.space_id', '=', spaceId)
    .where('participant.id', '=', id)
    .select([
      'participant.id as id',
      'participant.account_id as account_id',
      'account.handle as handle',
      'participant.role as role',
    ])
    .executeTakeFirst()

/** The roles of the participants of a space, except one. */
export const listRolesOfOthers = async (db: Sql, spaceId: string, id: string): Promise<Role[]> => {
  const rows = await db
    .selectFrom('participants')
    .where('space_id', '=', spaceId)
    .where('id', '<>', id)
    .select('role')
    .execute()
  return rows.map(({ role }) => role)
}

/** Gives a participant another role. */
export const updateRole = (db: Sql, id: string, role: Role) =>
  db.updateTable('participants').set({ role }).where('id', '=', id).execute()

/** Removes a participant from their space, with the invitations that they created there. */
export const deleteParticipant = (db: Sql, id: string) =>
  db.deleteFrom('participants').where('id', '=', id).execute()

/** Returns the id of a participant's space; undefined if the participant has left it or is no owner. */
export const findSpaceOfOwner = async (db: Sql, id: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('participants')
      .where('id', '=', id)
      .where('role', '=', 'owner')
      .select('space_id')
      .executeTakeFirst()
  )?.space_id

/**
 * The account that has participated in a space for longest, as a column of a query of the directory.
 *
 * @param column the column that has the id of the space
 */
export const firstParticipant = (column: 'space_names.id' | 'origins.space_id') => sql<string | null>`(
  select account_id from participants where space_id = ${sql.ref(column)} order by joined_at, id limit 1)`

/**
 * Inserts an invitation.
 *
 * @throws a violation of `invites_inviter_id_foreign` when the inviter has left the space
 */
export const insertInvite = (db: Sql, invite: Insertable<Tables['invites']>) =>
  db.insertInto('invites').values(invite).execute()

/** The open invitation with this hash, its creator, and its space. */
export const findInvite = (db: Sql, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('invites as invite')
    .innerJoin('participants as inviter', 'inviter.id', 'invite.inviter_id')
    .innerJoin('accounts as account', 'account.id', 'inviter.account_id')
    .innerJoin('space_names as space', 'space.id', 'inviter.space_id')
    .leftJoin('icons as icon', 'icon.space_id', 'space.id')
    .where('invite.token_hash', '=', tokenHash)
    .where('invite.expires_at', '>', now)
    .select([
      'invite.id as id',
      'invite.role as role',
      'account.handle as inviter',
      'space.id as space_id',
      'space.subdomain as subdomain',
      'space.name as name',
      'icon.id as icon_id',
    ])
    .executeTakeFirst()

/** A space's open invitations, newest first. */
export const listInvites = (db: Sql, spaceId: string, now: Date) =>
  db
    .selectFrom('invites as invite')
    .innerJoin('participants as inviter', 'inviter.id', 'invite.inviter_id')
    .innerJoin('accounts as account', 'account.id', 'inviter.account_id')
    .where('inviter.space_id', '=', spaceId)
    .where('invite.expires_at', '>', now)
    .select([
      'invite.id as id',
      'invite.role as role',
      'account.handle as inviter',
      'invite.created_at as created_at',
      'invite.expires_at as expires_at',
    ])
    .orderBy('invite.created_at', 'desc')
    .orderBy('invite.id')
    .execute()

/**
 * Revokes an invitation of a space.
 *
 * @returns whether the space had the invitation
 */
export const deleteInvite = async (db: Sql, spaceId: string, id: string): Promise<boolean> =>
  (await db
    .deleteFrom('invites as invite')
    .using('participants as inviter')
    .whereRef('inviter.id', '=', 'invite.inviter_id')
    .where('inviter.space_id', '=', spaceId)
    .where('invite.id', '=', id)
    .returning('invite.id')
    .executeTakeFirst()) !== undefined

/** Revokes the invitations that a participant has created. */
export const deleteInvitesOf = (db: Sql, participantId: string) =>
  db.deleteFrom('invites').where('inviter_id', '=', participantId).execute()

/** Deletes a space's expired invitations. */
export const deleteEndedInvites = (db: Sql, spaceId: string, now: Date) =>
  db
    .deleteFrom('invites')
    .where('inviter_id', 'in', eb =>
      eb.selectFrom('participants').where('space_id', '=', spaceId).select('id'),
    )
    .where('expires_at', '<=', now)
    .execute()

/**
 * Deletes an invitation; of two concurrent uses, one succeeds.
 *
 * @returns whether the invitation existed
 */
export const consumeInvite = async (db: Sql, id: string): Promise<boolean> =>
  (await db.deleteFrom('invites').where('id', '=', id).returning('id').executeTakeFirst()) !== undefined
