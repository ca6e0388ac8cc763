import { type Insertable, sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'

/**
 * Locks a space and increments its revision, in one statement. Every write to a site's content calls this first, so
 * that only one writer at a time checks quotas, include cycles and versions.
 *
 * @returns whether the space still exists
 */
export const lockSpace = async (db: Sql, spaceId: string): Promise<boolean> =>
  (await raiseRevision(db, spaceId)) !== undefined

const raiseRevision = compileOnce((db, spaceId: string) =>
  db.updateTable('spaces').set({ revision: sql`revision + 1` }).where('id', '=', spaceId).returning('id'),
)

/**
 * Locks a space for a write to its participants, keys or invitations. The revision stays the same, because the site
 * does not change.
 *
 * @returns whether the space still exists
 */
export const lockMembership = async (db: Sql, spaceId: string): Promise<boolean> =>
  (await db
    .selectFrom('spaces')
    .where('id', '=', spaceId)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst()) !== undefined

/** The space with this subdomain, if the account is one of its participants. */
export const findParticipantSpace = compileOnce((db, accountId: string, subdomain: string) =>
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
    ]),
)

/** Whether a space has this subdomain. */
export const isSubdomainTaken = async (db: Sql, subdomain: string): Promise<boolean> =>
  (await db.selectFrom('spaces').where('subdomain', '=', subdomain).select('id').executeTakeFirst()) !==
  undefined

/** The spaces of which an account is a participant, by subdomain. */
export const listSpacesOfAccount = (db: Sql, accountId: string) =>
  db
    .selectFrom('spaces as space')
    .innerJoin('participants as participant', 'participant.space_id', 'space.id')
    .leftJoin('icons as icon', 'icon.space_id', 'space.id')
    .where('participant.account_id', '=', accountId)
    .select(['space.subdomain as subdomain', 'space.name as name', 'icon.id as icon_id'])
    .orderBy('space.subdomain')
    .execute()

/** @throws a violation of `spaces_subdomain_unique` */
export const insertSpace = (db: Sql, space: Insertable<Tables['spaces']>) =>
  db.insertInto('spaces').values(space).execute()

export const updateSpaceName = (db: Sql, spaceId: string, name: string) =>
  db.updateTable('spaces').set({ name }).where('id', '=', spaceId).execute()

/** Deletes a space with everything in it. */
export const deleteSpace = (db: Sql, spaceId: string) =>
  db.deleteFrom('spaces').where('id', '=', spaceId).execute()
