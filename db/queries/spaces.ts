import { type Insertable, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'
import { type SpaceWrite, setRevision } from '../space-write.ts'
import { both, recordChange } from './changes.ts'

/**
 * Locks a space and increments its revision, in one statement. Every write to a site's content calls this first, so
 * that only one writer at a time checks quotas, versions and cycles of includes.
 *
 * @returns whether the space still exists
 */
export const lockSpace = (db: Sql, spaceId: string): Promise<boolean> =>
  // Set the revision directly in this callback. The next statement of the write can be sent together with this
  // statement, and the responses to both can arrive together. The code that awaits the next statement reads the
  // revision, and would then run before a callback that is chained to this callback.
  raiseRevision(db, spaceId).then(([space]) => {
    if (space) setRevision(db, space.revision)
    return space !== undefined
  })

const raiseRevision = compileOnceRows((db, spaceId: string) =>
  db
    .updateTable('spaces')
    .set({ revision: sql`revision + 1` })
    .where('id', '=', spaceId)
    .returning('revision'),
)

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
export const insertSpace = (db: Sql, space: Insertable<Tables['spaces']>) => {
  const { id, subdomain, name } = space
  return both(
    db.insertInto('space_names').values({ id, subdomain, name }).execute(),
    db.insertInto('spaces').values(space).execute(),
  )
}

export const updateSpaceName = (write: SpaceWrite, name: string) =>
  both(
    recordChange(write, { kind: 'space', thing: 'name', action: 'rename', after: { name }, body: null }),
    both(
      write.sql.updateTable('space_names').set({ name }).where('id', '=', write.spaceId).execute(),
      write.sql.updateTable('spaces').set({ name }).where('id', '=', write.spaceId).execute(),
    ),
  )
