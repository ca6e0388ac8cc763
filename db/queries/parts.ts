import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'
import { columnsOf } from './item-rows.ts'

/** The columns of a part without its body. */
const SUMMARY = columnsOf('part', ['html', 'includes', 'length'])

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
    .select(columnsOf('part', ['includes', 'length']).map(name => `part.${name}` as const))
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
export const listPagesIncludingDirectly = compileOnceRows((db, spaceId: string, part: string) =>
  db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .where(sql<boolean>`includes @> array[${part}]::text[]`)
    .select(['id', 'updated_at'])
    .orderBy('id'),
)

/** The parts that include a part by literal name, with the time of their last change. */
export const listPartsIncludingDirectly = compileOnceRows((db, spaceId: string, part: string) =>
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
  db.selectFrom('parts').where('space_id', '=', spaceId).where('id', '=', id).select(columnsOf('part')),
)

/** The id of the part with this name. */
export const findPartByName = (db: Sql, spaceId: string, name: string) =>
  db
    .selectFrom('parts')
    .where('space_id', '=', spaceId)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst()
