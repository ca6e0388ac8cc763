import { sql } from 'kysely'
import type { Sql } from '../orm.ts'
import type { ChangePlace } from './history.ts'

/** Smaller values have no compressed form: PostgreSQL compresses only rows of about 2 KB or more. */
const MIN_SIZE = 2_048

/** Whether a file of the space was created, changed or deleted after a place in the space's history. */
export const areFilesChanged = async (db: Sql, spaceId: string, after: ChangePlace): Promise<boolean> => {
  const { rows } = await sql<{ yes: boolean }>`
    select exists (
      select 1 from changes where space_id = ${spaceId} and kind = 'file'
        and (revision, position) > (${after.revision}::bigint, ${after.position}::int)
    ) as yes`.execute(db)
  return rows[0]!.yes
}

/** Bytes in the database. */
export interface BytesRef {
  /** SHA-256 of the bytes. */
  digest: Buffer
  /** Number of bytes, uncompressed. */
  size: number
}

const isCurrent = (spaceId: string) => sql`
  exists (select 1 from files where files.space_id = ${spaceId} and files.digest = blobs.digest)`

/**
 * Finds bytes that can be compressed, because only the history needs them. Returns at most `limit` of them, sorted by
 * digest. Begins after the digest `after`.
 */
export const findUncompressed = async (
  db: Sql,
  spaceId: string,
  after: Buffer,
  limit: number,
): Promise<BytesRef[]> => {
  const { rows } = await sql<BytesRef>`
    select digest, size from blobs
    where space_id = ${spaceId} and digest > ${after}::bytea and bytes is not null and size >= ${MIN_SIZE}
      and not incompressible and pg_column_compression(bytes) is null and not ${isCurrent(spaceId)}
    order by digest limit ${limit}`.execute(db)
  return rows
}

/**
 * Compresses bytes that only the history needs. Call in a transaction without locks: compressing takes up to a second,
 * but the rows are only locked while the compressed bytes are written. Damaged bytes are not changed.
 */
export const compressBytes = async (db: Sql, spaceId: string, digests: readonly Buffer[]): Promise<void> => {
  // PostgreSQL does not compress values that are written to `blobs.bytes`, but it compresses them in a temporary table.
  // A compressed value stays compressed when it is copied back.
  await sql`create temporary table compressing (digest bytea, bytes bytea) on commit drop`.execute(db)
  await sql`insert into compressing (digest, bytes) select digest, bytes from blobs
    where space_id = ${spaceId} and digest = any(${digests}) and bytes is not null`.execute(db)
  await sql`delete from compressing where sha256(bytes) <> digest`.execute(db)
  await sql`
    update blobs set
      bytes = case when pg_column_compression(compressing.bytes) is null then blobs.bytes else compressing.bytes end,
      incompressible = pg_column_compression(compressing.bytes) is null
    from compressing
    where blobs.space_id = ${spaceId} and blobs.digest = compressing.digest and blobs.bytes is not null
      and not ${isCurrent(spaceId)}`.execute(db)
}

/** Bytes that were compressed for the history, and that a file of the space uses again. */
export const findCompressed = async (db: Sql, spaceId: string, limit: number): Promise<BytesRef[]> => {
  const { rows } = await sql<BytesRef>`
    select digest, size from blobs
    where space_id = ${spaceId} and pg_column_compression(bytes) is not null and ${isCurrent(spaceId)}
    limit ${limit}`.execute(db)
  return rows
}

/** Stores bytes uncompressed, so that a range can be read without the bytes before it. */
export const decompressBytes = async (db: Sql, spaceId: string, { digest }: BytesRef): Promise<void> => {
  // The concatenation returns an uncompressed value, and the column stores that value unchanged.
  await sql`update blobs set bytes = bytes || ''::bytea
    where space_id = ${spaceId} and digest = ${digest}::bytea and pg_column_compression(bytes) is not null`.execute(
    db,
  )
}
