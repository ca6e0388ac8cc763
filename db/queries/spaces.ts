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
