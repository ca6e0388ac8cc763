import { type Insertable, type RawBuilder, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { FileContent, StoredBytes } from '../file-store/content.ts'
import type { Sql, Tables } from '../orm.ts'
import type { SpaceWrite } from '../space-write.ts'
import { keepBytes, recordChange, recordDeletion } from './changes.ts'
import { createWithEntry } from './create-with-entry.ts'
import { keepObject } from './objects.ts'
import { deleteOrigin } from './origins.ts'

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

/** SQL for the position of a file: `restored`, or a new position if `restored` is null. */
export const filePosition = (restored: RawBuilder<unknown>) =>
  sql<string>`coalesce(${restored}, nextval('files_position_seq'))`

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

/**
 * Inserts a file.
 *
 * @param position the position of a restored file; null for a new file
 */
export const insertFile = (
  write: SpaceWrite,
  file: NewFile,
  content: FileContent,
  position: string | null = null,
): Promise<unknown> => {
  const { digest, size } = content
  const { id, name, content_type, uploaded_by_id, created_at, updated_at } = file
  return Promise.all([
    keepContent(write, content),
    createFile(
      write,
      id,
      { fields: { name, size, created_at, uploaded_by: uploaded_by_id }, digest },
      name,
      content_type,
      size,
      digest,
      uploaded_by_id,
      created_at,
      updated_at,
      position,
    ),
  ])
}

const createFile = createWithEntry(
  'file',
  (
    db,
    space_id: string,
    id: string,
    name: string,
    content_type: string,
    size: number,
    digest: Buffer,
    uploaded_by_id: NewFile['uploaded_by_id'],
    created_at: NewFile['created_at'],
    updated_at: NewFile['updated_at'],
    position: string | null,
  ) =>
    db.insertInto('files').values({
      space_id,
      position: filePosition(sql`${position}::bigint`),
      id,
      name,
      content_type,
      size,
      digest,
      uploaded_by_id,
      created_at,
      updated_at,
    }),
)

/**
 * Updates the given fields of a file.
 *
 * @param content the new bytes; undefined if they stay the same
 */
export const updateFile = (
  write: SpaceWrite,
  before: { id: string; size: number; digest: Uint8Array },
  { name, content_type, updated_at }: Pick<NewFile, 'name' | 'content_type' | 'updated_at'>,
  content: FileContent | undefined,
): Promise<unknown> => {
  const { sql: db, spaceId } = write
  const size = content?.size ?? before.size
  return Promise.all([
    recordChange(write, {
      kind: 'file',
      thing: before.id,
      action: content ? 'change' : 'rename',
      after: { name, size },
      body: content?.digest ?? 'same',
    }),
    content && keepContent(write, content),
    updateFileRow(
      db,
      spaceId,
      before.id,
      name,
      content_type,
      size,
      content?.digest ?? before.digest,
      updated_at,
    ),
  ])
}

const updateFileRow = compileOnceRows(
  (
    db,
    spaceId: string,
    id: string,
    name: string,
    content_type: string,
    size: number,
    digest: Uint8Array,
    updated_at: NewFile['updated_at'],
  ) =>
    db
      .updateTable('files')
      .set({ name, content_type, size, digest, updated_at })
      .where('space_id', '=', spaceId)
      .where('id', '=', id),
)

/**
 * Deletes a file; its bytes stay while the history refers to them.
 *
 * @returns the name of the file; undefined if there was no such file
 */
export const deleteFile = async (write: SpaceWrite, id: string): Promise<string | undefined> => {
  const { sql: db, spaceId } = write
  const [, , deleted] = await Promise.all([
    recordDeletion(write, 'file', id),
    deleteOrigin(db, spaceId, 'file', id),
    deleteFileRow(db, spaceId, id),
  ])
  return deleted?.name
}

const deleteFileRow = compileOnce((db, spaceId: string, id: string) =>
  db.deleteFrom('files').where('space_id', '=', spaceId).where('id', '=', id).returning('name'),
)
