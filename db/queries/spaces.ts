import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/**
 * Locks the space for writing and raises its revision, in one statement. Every write to what a site shows
 * begins with it, so that quotas, cycles and versions are decided one writer at a time.
 *
 * @returns whether the space still exists
 */
export const lockSpace = async (db: Sql, spaceId: string): Promise<boolean> =>
  (await db
    .updateTable('spaces')
    .set({ revision: sql`revision + 1` })
    .where('id', '=', spaceId)
    .returning('id')
    .executeTakeFirst()) !== undefined

/**
 * Locks the space for a change of who may work on it: its keys and invitations, and who takes part. What its site
 * shows stays as it is, and so does its revision.
 *
 * @returns whether the space still exists
 */
export const lockSpaceAccess = async (db: Sql, spaceId: string): Promise<boolean> =>
  (await db
    .selectFrom('spaces')
    .where('id', '=', spaceId)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst()) !== undefined

/** The space of that name, if the account takes part in it. */
export const findSpaceOf = (db: Sql, accountId: string, subdomain: string) =>
  db
    .selectFrom('spaces as space')
    .innerJoin('participants as participant', 'participant.space_id', 'space.id')
    .leftJoin('icons as icon', 'icon.space_id', 'space.id')
    .where('space.subdomain', '=', subdomain)
    .where('participant.account_id', '=', accountId)
    .select([
      'space.id as space_id',
      'space.subdomain as subdomain',
      'space.name as name',
      'icon.id as icon_id',
      'participant.id as participant_id',
    ])
    .executeTakeFirst()

/** Whether a space of that name exists. */
export const isSubdomainTaken = async (db: Sql, subdomain: string): Promise<boolean> =>
  (await db.selectFrom('spaces').where('subdomain', '=', subdomain).select('id').executeTakeFirst()) !==
  undefined

/** The spaces an account takes part in, by subdomain. */
export const listSpacesOf = (db: Sql, accountId: string) =>
  db
    .selectFrom('spaces as space')
    .innerJoin('participants as participant', 'participant.space_id', 'space.id')
    .leftJoin('icons as icon', 'icon.space_id', 'space.id')
    .where('participant.account_id', '=', accountId)
    .select(['space.subdomain as subdomain', 'space.name as name', 'icon.id as icon_id'])
    .orderBy('space.subdomain')
    .execute()

/** Who takes part in a space, longest first. */
export const listParticipants = (db: Sql, spaceId: string) =>
  db
    .selectFrom('participants as participant')
    .innerJoin('accounts as account', 'account.id', 'participant.account_id')
    .where('participant.space_id', '=', spaceId)
    .select(['account.handle as handle', 'participant.joined_at as joined_at'])
    .orderBy('participant.joined_at')
    .orderBy('participant.id')
    .execute()
