import type { Insertable } from 'kysely'
import type { Sql, Tables } from '../orm.ts'

/** The participants of a space, in the order in which they joined. */
export const listParticipants = (db: Sql, spaceId: string) =>
  db
    .selectFrom('participants as participant')
    .innerJoin('accounts as account', 'account.id', 'participant.account_id')
    .where('participant.space_id', '=', spaceId)
    .select(['account.handle as handle', 'participant.joined_at as joined_at'])
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

export const countParticipants = async (db: Sql, spaceId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('participants')
    .where('space_id', '=', spaceId)
    .select(eb => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Removes a participant from their space, with the keys and invitations that they issued there. */
export const deleteParticipant = (db: Sql, id: string) =>
  db.deleteFrom('participants').where('id', '=', id).execute()

/** Returns the id of a participant's space, or undefined if the participant has left it. */
export const findSpaceOfParticipant = async (db: Sql, id: string): Promise<string | undefined> =>
  (await db.selectFrom('participants').where('id', '=', id).select('space_id').executeTakeFirst())?.space_id
