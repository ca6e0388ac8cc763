import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'
import { Space } from './space.ts'

export const File = defineEntity({
  name: 'File',
  tableName: 'files',
  properties: {
    space: () => p.manyToOne(Space).mapToPk().primary().deleteRule('cascade'),
    id: id().primary(),
    /** Insertion order; sorts files created in the same millisecond. */
    position: p.bigint('string').autoincrement(),
    name: p.text(),
    contentType: p.text(),
    size: p.integer(),
    /** SHA-256 of the bytes, which are in `blobs`. It is also the ETag of the served file. */
    digest: p.blob(),
    /**
     * The account of the uploader; no foreign key, because the file outlives it. Null in rows that an earlier version
     * of the service created.
     */
    uploadedById: id().nullable().index(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [{ name: 'files_digest_index', properties: ['space', 'digest'] }],
})
