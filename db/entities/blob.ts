import { defineEntity, p } from '@mikro-orm/core'
import { id } from './columns.ts'

/** The bytes of current and earlier files, and of earlier icons. A space stores the same bytes only once. */
export const Blob = defineEntity({
  name: 'Blob',
  tableName: 'blobs',
  properties: {
    spaceId: id().primary(),
    /** SHA-256 of the bytes. */
    digest: p.blob().primary(),
    /**
     * PostgreSQL stores the bytes outside the row, uncompressed (see the migration). So it can read a range of
     * the bytes without loading all of them.
     * Null if the bytes are in the file store.
     */
    bytes: p.blob().nullable().lazy(),
    /** The id of the object in the file store that has the bytes; null if they are in `bytes`. */
    object: id().nullable(),
    /** Number of bytes, uncompressed. */
    size: p.integer(),
  },
  checks: [{ name: 'blobs_one_place', expression: 'num_nonnulls("bytes", "object") = 1' }],
  indexes: [
    {
      name: 'blobs_object_index',
      expression: `create index "blobs_object_index" on "blobs" ("space_id", "digest") where "object" is not null`,
    },
  ],
})
