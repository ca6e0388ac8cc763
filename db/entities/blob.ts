import { defineEntity, p } from '@mikro-orm/core'
import { id } from './columns.ts'

/** The bytes of current and earlier files, and of earlier icons. A space stores the same bytes only once. */
export const Blob = defineEntity({
  name: 'Blob',
  tableName: 'blobs',
  properties: {
    spaceId: id().primary(),
    /** SHA-256 of `bytes`. */
    digest: p.blob().primary(),
    /**
     * Stored out of line and uncompressed (see the migration), so that reading a range does not load all bytes.
     */
    bytes: p.blob().lazy(),
    size: p.integer(),
  },
})
