import { type Insertable, sql, type Updateable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'

const SUMMARY = ['id', 'name', 'created_at', 'updated_at'] as const

/** A space's parts by name, without their bodies. */
export const listParts = compileOnceRows((db, spaceId: string) =>
  db.selectFrom('parts').where('space_id', '=', spaceId).select(SUMMARY).orderBy('name'),
)

/** A part with the pages and parts that include it by literal name, in one query. */
export const findPartWithUsers = (db: Sql, spaceId: string, id: string) =>
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
    ])
    .executeTakeFirst()

/** A space's include graph and the length of each part: what a write to a part is checked against. */
export const listPartEdges = (db: Sql, spaceId: string) =>
  db
    .selectFrom('parts')
    .where('space_id', '=', spaceId)
    .select(['id', 'name', 'includes', 'length'])
    .execute()

export const findPart = (db: Sql, spaceId: string, id: string) =>
  db
    .selectFrom('parts')
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .select([...SUMMARY, 'html', 'includes', 'length'])
    .executeTakeFirst()

/** @throws a violation of `parts_name_unique` */
export const insertPart = (db: Sql, part: Insertable<Tables['parts']>) =>
  db.insertInto('parts').values(part).returning(SUMMARY).executeTakeFirstOrThrow()

/** @throws a violation of `parts_name_unique` */
export const updatePart = (db: Sql, spaceId: string, id: string, change: Updateable<Tables['parts']>) =>
  db
    .updateTable('parts')
    .set(change)
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .returning(SUMMARY)
    .executeTakeFirstOrThrow()

/** @returns whether there was such a part */
export const deletePart = async (db: Sql, spaceId: string, id: string): Promise<boolean> =>
  (await db
    .deleteFrom('parts')
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined
