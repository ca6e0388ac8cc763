import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/**
 * An object in the file store that no row of `blobs` refers to: it is not used yet, or no longer used. Every
 * object is added here before it is written, and again after its last use, so that none is forgotten. The row
 * outlives the space.
 */
export const UnusedObject = defineEntity({
  name: 'UnusedObject',
  tableName: 'unused_objects',
  properties: {
    spaceId: id().primary(),
    digest: p.blob().primary(),
    object: id().primary(),
    /**
     * `staged`: written for a transaction that has not committed yet; `freed`: its row in `blobs` was deleted, but an
     * earlier backup can still refer to it; `deleting`: no row can refer to it again.
     */
    state: p.enum(['staged', 'freed', 'deleting'] as const),
    size: p.integer(),
    /** When the object got this state. */
    since: instant().index('unused_objects_since_index'),
  },
})
