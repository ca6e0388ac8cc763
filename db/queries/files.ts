import { sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'
import type { FileContent, StoredBytes } from '../file-store/content.ts'
import type { SpaceWrite } from '../space-write.ts'
import { type ChangedRow, columnsOf, insertItem, type NewItemRow, updateItem } from './item-rows.ts'
import { keepObject } from './objects.ts'

const summaries = (db: Sql, spaceId: string) =>
  db
    .selectFrom('files as file')
    .leftJoin('accounts as uploader', 'uploader.id', 'file.uploaded_by_id')
    .where('file.space_id', '=', spaceId)
    .select(columnsOf('file', ['position', 'digest', 'uploaded_by_id']).map(name => `file.${name}` as const))
    .select('uploader.handle as uploaded_by')

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

type NewFile = Omit<NewItemRow<'file'>, 'position' | 'digest' | 'size'>

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
  const { digest, size } = content
  return Promise.all([keepContent(write, content), insertItem(write, 'file', { ...file, digest, size })])
}

/**
 * Changes a file.
 *
 * @param content the new bytes; undefined if they stay the same
 */
export const updateFile = (
  write: SpaceWrite,
  before: Pick<ChangedRow<'file'>, 'size' | 'digest'> & { id: string },
  change: Omit<ChangedRow<'file'>, 'size' | 'digest'>,
  content: FileContent | undefined,
): Promise<unknown> => {
  const { digest, size } = content ?? before
  return Promise.all([
    content && keepContent(write, content),
    updateItem(write, 'file', before.id, { ...change, digest, size }),
  ])
}

/** Stores bytes under their digest, unless the space has them already. */
export const keepBytes = compileOnceRows(
  (db, space_id: string, digest: Buffer, bytes: Buffer, size: number) =>
    db
      .insertInto('blobs')
      .values({ space_id, digest, bytes, size })
      .onConflict(conflict => conflict.columns(['space_id', 'digest']).doNothing()),
)
