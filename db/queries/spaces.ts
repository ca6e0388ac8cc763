import type { Insertable } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'
import type { SpaceWrite } from '../space-write.ts'

/**
 * Locks a space for a write to its participants, keys or invitations. The revision stays the same, because the site
 * does not change.
 *
 * @returns whether the space still exists
 */
export const lockMembership = async (db: Sql, spaceId: string): Promise<boolean> =>
  (await lockRow(db, spaceId)) !== undefined

const lockRow = compileOnce((db, spaceId: string) =>
  db.selectFrom('spaces').where('id', '=', spaceId).select('id').forNoKeyUpdate(),
)

/** The space with this subdomain, if the account is one of its participants. */
export const findParticipantSpace = compileOnce((db, accountId: string, subdomain: string) =>
  db
    .selectFrom('space_names as space')
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
  (await db.selectFrom('space_names').where('subdomain', '=', subdomain).select('id').executeTakeFirst()) !==
  undefined

/** The spaces of which an account is a participant, sorted by subdomain. */
export const listSpacesOfAccount = (db: Sql, accountId: string) =>
  db
    .selectFrom('space_names as space')
    .innerJoin('participants as participant', 'participant.space_id', 'space.id')
    .leftJoin('icons as icon', 'icon.space_id', 'space.id')
    .where('participant.account_id', '=', accountId)
    .select(['space.subdomain as subdomain', 'space.name as name', 'icon.id as icon_id'])
    .orderBy('space.subdomain')
    .execute()

/**
 * Inserts a space.
 *
 * @throws a violation of `spaces_subdomain_unique` when the subdomain is taken
 */
export const insertSpace = async (db: Sql, space: Insertable<Tables['spaces']>): Promise<void> => {
  const { id, subdomain, name } = space
  await Promise.all([
    db.insertInto('space_names').values({ id, subdomain, name }).execute(),
    db.insertInto('spaces').values(space).execute(),
  ])
}

export const updateSpaceName = ({ sql: db, spaceId }: SpaceWrite, name: string) =>
  Promise.all([
    db.updateTable('space_names').set({ name }).where('id', '=', spaceId).execute(),
    db.updateTable('spaces').set({ name }).where('id', '=', spaceId).execute(),
  ])
