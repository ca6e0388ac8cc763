import { type Insertable, sql, type Updateable } from 'kysely'
import type { Sql, Tables } from '../orm.ts'

const SUMMARY = [
  'file.id',
  'file.name',
  'file.content_type',
  'file.size',
  'file.created_at',
  'file.updated_at',
  'uploader.handle as uploaded_by',
] as const

const summaries = (db: Sql, spaceId: string) =>
  db
    .selectFrom('files as file')
    .leftJoin('accounts as uploader', 'uploader.id', 'file.uploaded_by_id')
    .where('file.space_id', '=', spaceId)
    .select(SUMMARY)

/** A space's files, newest first, without their bytes. */
export const listFiles = (db: Sql, spaceId: string) =>
  summaries(db, spaceId).orderBy('file.created_at', 'desc').orderBy('file.position', 'desc').execute()

export const findFile = (db: Sql, spaceId: string, id: string) =>
  summaries(db, spaceId).where('file.id', '=', id).select('file.digest').executeTakeFirst()

/** The total size of a space's files in bytes. */
export const sumFileSizes = async (db: Sql, spaceId: string): Promise<number> => {
  const { used } = await db
    .selectFrom('files')
    .where('space_id', '=', spaceId)
    .select(sql<number>`coalesce(sum(size), 0)::int`.as('used'))
    .executeTakeFirstOrThrow()
  return used
}

/** Inserts a file and returns its public fields, in one statement. */
export const insertFile = (db: Sql, file: Insertable<Tables['files']>) =>
  db
    .insertInto('files')
    .values(file)
    .returning(['id', 'name', 'content_type', 'size', 'created_at', 'updated_at'])
    .returning(inserted =>
      inserted
        .selectFrom('accounts')
        .whereRef('accounts.id', '=', 'files.uploaded_by_id')
        .select('handle')
        .as('uploaded_by'),
    )
    .executeTakeFirstOrThrow()

export const updateFile = (db: Sql, spaceId: string, id: string, change: Updateable<Tables['files']>) =>
  db.updateTable('files').set(change).where('space_id', '=', spaceId).where('id', '=', id).execute()

/** @returns whether there was such a file */
export const deleteFile = async (db: Sql, spaceId: string, id: string): Promise<boolean> =>
  (await db
    .deleteFrom('files')
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined
