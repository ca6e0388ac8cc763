import type { Sql } from '../../db/database.ts'

/** Returns the bytes of a file as the database stores them. */
export const storedBytes = async (sql: Sql, fileId: string): Promise<Buffer> => {
  const { bytes } = await sql
    .selectFrom('files as file')
    .innerJoin('blobs as blob', join =>
      join.onRef('blob.space_id', '=', 'file.space_id').onRef('blob.digest', '=', 'file.digest'),
    )
    .where('file.id', '=', fileId)
    .select('blob.bytes as bytes')
    .executeTakeFirstOrThrow()
  return Buffer.from(bytes ?? [])
}
