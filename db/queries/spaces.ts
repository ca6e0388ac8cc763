import { type Insertable, type RawBuilder, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import type { SpaceWrite } from '../space-write.ts'
import { deleteBlobs } from './objects.ts'
import { firstParticipant } from './participants.ts'

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
      'participant.role as role',
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
    .select([
      'space.subdomain as subdomain',
      'space.name as name',
      'icon.id as icon_id',
      'participant.role as role',
    ])
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

/** The revisions of spaces. Leaves out spaces that do not exist. */
export const revisionsOf = compileOnceRows(
  (db, spaceIds: readonly string[]) => ({
    compile: () =>
      sql<{ id: string; revision: string }>`
        select id, revision from spaces where id = any(${spaceIds}::text[])`.compile(db),
  }),
  { isShared: true },
)

/** How much of each limit the content of a space uses. */
interface ContentUsage {
  pages: number
  /** The page with the slug `index`. */
  home_page_id: string | null
  parts: number
  /** Code points of all parts. */
  parts_length: number
  records: number
  /** Bytes of all records' values. */
  data_bytes: number
  files: number
  file_bytes: number
  /** Whether the content was ever changed, not counting imports such as the starter of a new space. */
  is_edited: boolean
}

/** How many people and programs have access to a space. */
interface AccessUsage {
  participants: number
  /** Keys that have not expired. */
  keys: number
  /** Whether any of the space's keys was ever used at the tool server. */
  is_used_by_agent: boolean
}

/** A space's usage. Sends two queries at once, because the content and the directory can be on different servers. */
export const spaceUsage = async (
  db: Sql,
  spaceId: string,
  now: Date,
): Promise<ContentUsage & AccessUsage> => {
  const [content, access] = await Promise.all([contentUsage(db, spaceId), accessUsage(db, spaceId, now)])
  return { ...content!, ...access! }
}

const contentUsage = compileOnce((db, spaceId: string) => ({
  compile: () =>
    sql<ContentUsage>`
    select page.*, part.*, record.*, file.*, edit.*
    from
      (select count(*)::int as pages, max(id) filter (where slug = 'index') as home_page_id
        from pages where space_id = ${spaceId}) as page,
      (select count(*)::int as parts, coalesce(sum(length), 0)::int as parts_length
        from parts where space_id = ${spaceId}) as part,
      (select count(*)::int as records, coalesce(sum(size), 0)::int as data_bytes
        from data_records where space_id = ${spaceId}) as record,
      (select count(*)::int as files, coalesce(sum(size), 0)::int as file_bytes
        from files where space_id = ${spaceId}) as file,
      (select exists(
          select 1 from changes join writes on writes.space_id = ${spaceId} and writes.revision = changes.revision
          where changes.space_id = ${spaceId} and cause = 'write' and kind <> 'space'
        ) as is_edited) as edit`.compile(db),
}))

const accessUsage = compileOnce((db, spaceId: string, now: Date) => ({
  compile: () =>
    sql<AccessUsage>`
    select participant.*, key.*
    from
      (select count(*)::int as participants from participants where space_id = ${spaceId}) as participant,
      (select
          (count(*) filter (where expires_at is null or expires_at > ${now}))::int as keys,
          coalesce(bool_or(used_by_agent), false) as is_used_by_agent
        from space_keys
        where issuer_id in (select id from participants where space_id = ${spaceId})) as key`.compile(db),
}))

/** A recent change in a space. */
export interface Change {
  kind: 'page' | 'part' | 'record' | 'file'
  /** The id of the item; for a record, its key. */
  id: string
  name: string
  changed_at: Date
  /** Whether the item is unchanged since its creation. */
  is_new: boolean
}

/** The most recent changes in a space, newest first. Deletions are not included. */
export const listRecentChanges = async (db: Sql, spaceId: string, limit: number): Promise<Change[]> => {
  const latest = (rows: RawBuilder<unknown>) =>
    sql`(${rows} where space_id = ${spaceId} order by updated_at desc limit ${limit})`
  const { rows } = await sql<Change>`
    select kind, id, name, updated_at as changed_at, is_new
    from (
      ${latest(sql`select 'page' as kind, id, slug as name, updated_at, updated_at = created_at as is_new from pages`)}
      union all
      ${latest(sql`select 'part', id, name, updated_at, updated_at = created_at from parts`)}
      union all
      ${latest(sql`select 'record', key, key, updated_at, version = 1 from data_records`)}
      union all
      ${latest(sql`select 'file', id, name, updated_at, updated_at = created_at from files`)}
    ) as change
    order by updated_at desc, kind, id
    limit ${limit}`.execute(db)
  return rows
}

/**
 * Deletes a space from the directory, with its participants, its keys and all its other rows there. From then on,
 * nobody can find it. Call in a transaction of its own, before `deleteContent`.
 */
export const deleteFromDirectory = async (db: Sql, spaceId: string): Promise<void> => {
  await lockMembership(db, spaceId)
  await db.deleteFrom('space_names').where('id', '=', spaceId).execute()
  await db
    .insertInto('deleted_spaces')
    .values({ id: spaceId })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

/** The ids of deleted spaces whose content has not been deleted yet, in any order. */
export const listUnfinishedDeletions = async (db: Sql, limit: number): Promise<string[]> =>
  (await db.selectFrom('deleted_spaces').select('id').limit(limit).execute()).map(({ id }) => id)

/** Marks the deletion of a space as complete. Call after its content was deleted. */
export const forgetDeletion = (db: Sql, spaceId: string) =>
  db.deleteFrom('deleted_spaces').where('id', '=', spaceId).execute()

/** Returns ids of spaces that were created before `before`: the next ids above `after`, in ascending order. */
export const nextContent = async (db: Sql, after: string, before: Date, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('spaces')
    .where('id', '>', after)
    .where('created_at', '<', before)
    .select('id')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the given ids that are not in the directory. */
export const missingInDirectory = async (db: Sql, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.selectFrom('space_names').where('id', 'in', ids).select('id').execute()
  const found = new Set(rows.map(({ id }) => id))
  return ids.filter(id => !found.has(id))
}

/** Deletes the content of a space, and its history. Call in a transaction, after `deleteFromDirectory`. */
export const deleteContent = async (db: Sql, spaceId: string): Promise<void> => {
  // Deleting a long history can exceed the time limit of statements.
  await sql`set local statement_timeout = 0`.execute(db)
  await db.deleteFrom('spaces').where('id', '=', spaceId).execute()
  for (const table of ['changes', 'writes'] as const)
    await db.deleteFrom(table).where('space_id', '=', spaceId).execute()
  await deleteBlobs(db, sql`unused.space_id = ${spaceId}`)
}

export type OriginKind = Tables['origins']['kind']

/** The space of the page or file with this id, and its first participant. */
export const findOrigin = compileOnce(
  (db, kind: OriginKind, id: string) =>
    db
      .selectFrom('origins')
      .where('id', '=', id)
      .where('kind', '=', kind)
      .select('space_id')
      .select(firstParticipant('origins.space_id').as('account_id')),
  { isShared: true },
)

/** Whether items of this kind have an origin. */
export const hasOrigin = (kind: string): kind is OriginKind => kind === 'page' || kind === 'file'

/**
 * Inserts the origin of a page or file. Does nothing if the origin exists already. With distributed content, the origin
 * of a deleted page or file can remain. This happens if the coordinator stops during the deletion.
 */
export const insertOrigin = compileOnceRows((db, spaceId: string, kind: OriginKind, id: string) =>
  db
    .insertInto('origins')
    .values({ id, kind, space_id: spaceId })
    .onConflict(conflict => conflict.column('id').doNothing()),
)

/** Like {@link insertOrigin}, for several pages or files. */
export const insertOrigins = (db: Sql, spaceId: string, kind: OriginKind, ids: readonly string[]) =>
  sql`insert into origins (id, kind, space_id) select id, ${kind}, ${spaceId} from unnest(${ids}::text[]) as given (id)
    on conflict (id) do nothing`.execute(db)

/** Deletes the origin of a page or file. */
export const deleteOrigin = compileOnceRows((db, spaceId: string, kind: OriginKind, id: string) =>
  db.deleteFrom('origins').where('id', '=', id).where('kind', '=', kind).where('space_id', '=', spaceId),
)

/** Deletes the origins of several pages or files. */
export const deleteOrigins = (db: Sql, spaceId: string, kind: OriginKind, ids: readonly string[]) =>
  sql`delete from origins where id = any(${ids}::text[]) and kind = ${kind} and space_id = ${spaceId}`.execute(
    db,
  )
