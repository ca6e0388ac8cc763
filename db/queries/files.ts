import { type Insertable, sql } from 'kysely'
import { compileOnce, compileOnceRows, preparedRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import type { FileContent, StoredBytes } from '../file-store/content.ts'
import type { SpaceWrite } from '../space-write.ts'
import { keepObject } from './objects.ts'
import { deleteOrigin, insertOrigin } from './spaces.ts'

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
export const listFiles = compileOnceRows((db, spaceId: string) =>
  summaries(db, spaceId).orderBy('file.created_at', 'desc').orderBy('file.position', 'desc'),
)

/** The ids of the files with a name, newest first: the order in which templates find them. */
export const listFilesNamed = compileOnceRows((db, spaceId: string, name: string) =>
  db
    .selectFrom('files')
    .where('space_id', '=', spaceId)
    .where('name', '=', name)
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc'),
)

export const findFile = compileOnce((db, spaceId: string, id: string) =>
  summaries(db, spaceId).where('file.id', '=', id).select('file.digest'),
)

/**
 * Reads the file usage of a space, to check the quota before or after a write. The same query also reads the handle of
 * the account that writes.
 */
export const findFileUsage = async (db: Sql, spaceId: string, accountId: string) =>
  (await fileUsage(db, spaceId, accountId))!

const fileUsage = compileOnce((db, spaceId: string, accountId: string) =>
  db
    .selectFrom('files')
    .where('space_id', '=', spaceId)
    .select(eb => [
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(size), 0)::int`.as('bytes'),
      eb.selectFrom('accounts').where('id', '=', accountId).select('handle').as('handle'),
    ]),
)

/** The bytes with this digest, or the object that has them. */
export const findStoredBytes = compileOnce((db, spaceId: string, digest: Uint8Array) => ({
  compile: () =>
    sql<StoredBytes>`select bytes, object, size from blobs
      where space_id = ${spaceId} and digest = ${digest}::bytea`.compile(db),
}))

type NewFile = Omit<Required<Insertable<Tables['files']>>, 'position' | 'space_id' | 'digest' | 'size'>

/**
 * Stores the bytes of a file, or a reference to the staged object that has them. Does nothing if the space has the
 * bytes already.
 */
export const keepContent = async (
  { sql: db, spaceId }: SpaceWrite,
  { digest, size, bytes, object }: FileContent,
): Promise<void> => {
  if (object !== undefined) await keepObject(db, spaceId, digest, object, size)
  else if (bytes) await keepBytes(db, spaceId, digest, bytes, size)
}

/** Inserts a file. */
export const insertFile = (write: SpaceWrite, file: NewFile, content: FileContent): Promise<unknown> => {
  const { sql: db, spaceId } = write
  const { digest, size } = content
  return Promise.all([
    keepContent(write, content),
    insertOrigin(db, spaceId, 'file', file.id),
    insertFileRow(db, { ...file, digest, size, spaceId }),
  ])
}

type FileRow = NewFile & Pick<FileContent, 'digest' | 'size'> & { spaceId: string }

const insertFileRow = preparedRows((db, file: FileRow) =>
  db.insertInto('files').values({
    space_id: file.spaceId,
    position: sql`nextval('files_position_seq')`,
    id: file.id,
    name: file.name,
    content_type: file.content_type,
    size: file.size,
    digest: file.digest,
    uploaded_by_id: file.uploaded_by_id,
    created_at: file.created_at,
    updated_at: file.updated_at,
  }),
)

type FileChange = Pick<NewFile, 'name' | 'content_type' | 'updated_at'>

/**
 * Updates the given fields of a file.
 *
 * @param content the new bytes; undefined if they stay the same
 */
export const updateFile = (
  write: SpaceWrite,
  before: { id: string; size: number; digest: Uint8Array },
  change: FileChange,
  content: FileContent | undefined,
): Promise<unknown> => {
  const { id } = before
  const { digest, size } = content ?? before
  return Promise.all([
    content && keepContent(write, content),
    updateFileRow(write.sql, { ...change, digest, size, spaceId: write.spaceId, id }),
  ])
}

const updateFileRow = preparedRows(
  (db, file: FileChange & { digest: Uint8Array; size: number; spaceId: string; id: string }) =>
    db
      .updateTable('files')
      .set({
        name: file.name,
        content_type: file.content_type,
        size: file.size,
        digest: file.digest,
        updated_at: file.updated_at,
      })
      .where('space_id', '=', file.spaceId)
      .where('id', '=', file.id),
)

/**
 * Deletes a file; its bytes stay while the history refers to them.
 *
 * @returns the name of the file; undefined if there was no such file
 */
export const deleteFile = async (
  { sql: db, spaceId }: SpaceWrite,
  id: string,
): Promise<string | undefined> => {
  const [, deleted] = await Promise.all([
    deleteOrigin(db, spaceId, 'file', id),
    deleteFileRow(db, spaceId, id),
  ])
  return deleted?.name
}

const deleteFileRow = compileOnce((db, spaceId: string, id: string) =>
  db.deleteFrom('files').where('space_id', '=', spaceId).where('id', '=', id).returning('name'),
)

/** Stores bytes under their digest, unless the space has them already. */
export const keepBytes = compileOnceRows(
  (db, space_id: string, digest: Buffer, bytes: Buffer, size: number) =>
    db
      .insertInto('blobs')
      .values({ space_id, digest, bytes, size })
      .onConflict(conflict => conflict.columns(['space_id', 'digest']).doNothing()),
)
