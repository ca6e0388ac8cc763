import { type Insertable, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { compileOnce, compileOnceRows, preparedRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import type { SpaceWrite } from '../space-write.ts'

const SUMMARY = ['id', 'name', 'created_at', 'updated_at'] as const

/** A space's parts, sorted by name, without their bodies. */
export const listParts = compileOnceRows((db, spaceId: string) =>
  db.selectFrom('parts').where('space_id', '=', spaceId).select(SUMMARY).orderBy('name'),
)

/** A part with the pages and parts that include it by literal name, in one query. */
export const findPartWithUsers = compileOnce((db, spaceId: string, id: string) =>
  db
    .selectFrom('parts as part')
    .where('part.space_id', '=', spaceId)
    .where('part.id', '=', id)
    .select(['part.id', 'part.name', 'part.html', 'part.created_at', 'part.updated_at'])
    .select(outer => [
      jsonArrayFrom(
        outer
          .selectFrom('pages as page')
          .where('page.space_id', '=', spaceId)
          .where(sql<boolean>`page.includes @> array[part.name]::text[]`)
          .select(['page.id', 'page.slug'])
          .orderBy('page.slug'),
      ).as('pages'),
      jsonArrayFrom(
        outer
          .selectFrom('parts as user')
          .where('user.space_id', '=', spaceId)
          .where(sql<boolean>`"user".includes @> array[part.name]::text[]`)
          .select(['user.id', 'user.name'])
          .orderBy('user.name'),
      ).as('parts'),
    ]),
)

/** The pages that include a part by literal name, with the time of their last change. */
export const listPagesIncluding = compileOnceRows((db, spaceId: string, part: string) =>
  db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .where(sql<boolean>`includes @> array[${part}]::text[]`)
    .select(['id', 'updated_at'])
    .orderBy('id'),
)

/** The parts that include a part by literal name, with the time of their last change. */
export const listPartsIncluding = compileOnceRows((db, spaceId: string, part: string) =>
  db
    .selectFrom('parts')
    .where('space_id', '=', spaceId)
    .where(sql<boolean>`includes @> array[${part}]::text[]`)
    .select(['id', 'updated_at'])
    .orderBy('id'),
)

/** A space's include graph and the length of each part. A write to a part is checked against these. */
export const listPartEdges = compileOnceRows((db, spaceId: string) =>
  db.selectFrom('parts').where('space_id', '=', spaceId).select(['id', 'name', 'includes', 'length']),
)

/** Whether one of these names belongs to no part of the space. */
export const findMissingParts = async (
  db: Sql,
  spaceId: string,
  names: readonly string[],
): Promise<boolean> => {
  const found = await partsNamed(db, spaceId, names)
  return found.length < new Set(names).size
}

const partsNamed = compileOnceRows((db, spaceId: string, names: readonly string[]) => ({
  compile: () =>
    sql<{ name: string }>`
      select name from parts where space_id = ${spaceId} and name = any(${names}::text[])`.compile(db),
}))

export const findPart = compileOnce((db, spaceId: string, id: string) =>
  db
    .selectFrom('parts')
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .select([...SUMMARY, 'html', 'includes', 'length']),
)

type NewPart = Omit<Required<Insertable<Tables['parts']>>, 'space_id'>

/** The id of the part with this name. */
export const findPartByName = (db: Sql, spaceId: string, name: string) =>
  db
    .selectFrom('parts')
    .where('space_id', '=', spaceId)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst()

/**
 * Inserts a part.
 *
 * @throws a violation of `parts_name_unique` when the name is taken
 */
export const insertPart = ({ sql: db, spaceId }: SpaceWrite, part: NewPart): Promise<unknown> =>
  insertPartRow(db, { ...part, spaceId })

const insertPartRow = preparedRows((db, part: NewPart & { spaceId: string }) =>
  db.insertInto('parts').values({
    space_id: part.spaceId,
    id: part.id,
    name: part.name,
    html: part.html,
    includes: part.includes,
    length: part.length,
    created_at: part.created_at,
    updated_at: part.updated_at,
  }),
)

type PartChange = Pick<NewPart, 'name' | 'html' | 'includes' | 'length' | 'updated_at'>

/**
 * Updates the given fields of a part.
 *
 * @throws a violation of `parts_name_unique` when the name is taken
 */
export const updatePart = (
  { sql: db, spaceId }: SpaceWrite,
  id: string,
  change: PartChange,
): Promise<unknown> => updatePartRow(db, { ...change, spaceId, id })

const updatePartRow = preparedRows((db, part: PartChange & { spaceId: string; id: string }) =>
  db
    .updateTable('parts')
    .set({
      name: part.name,
      html: part.html,
      includes: part.includes,
      length: part.length,
      updated_at: part.updated_at,
    })
    .where('space_id', '=', part.spaceId)
    .where('id', '=', part.id),
)

/**
 * Deletes a part.
 *
 * @returns its name; undefined if there is no such part
 */
export const deletePart = async ({ sql: db, spaceId }: SpaceWrite, id: string): Promise<string | undefined> =>
  (await deletePartRow(db, spaceId, id))?.name

const deletePartRow = compileOnce((db, spaceId: string, id: string) =>
  db.deleteFrom('parts').where('space_id', '=', spaceId).where('id', '=', id).returning('name'),
)
