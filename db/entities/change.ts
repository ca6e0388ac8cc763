import { defineEntity, p } from '@mikro-orm/core'
import { id } from './columns.ts'

/**
 * What one write did to a page, part, record, file or setting of a space. Only the triggers of these tables insert rows
 * (see the migration `writing_transaction`), so no code can forget it.
 */
export const Change = defineEntity({
  name: 'Change',
  tableName: 'changes',
  properties: {
    spaceId: id().primary(),
    kind: p.text().collation('C').$type<'page' | 'part' | 'record' | 'file' | 'space'>().primary(),
    /** Identifies the changed item: an id, the key of a record, or the name of a setting. */
    thing: id().primary(),
    /** The revision of the write. */
    revision: p.bigint('string').primary(),
    /** The columns of the item before the write, without the body; null if the item did not exist. */
    before: p.json<unknown>().nullable(),
    /** SHA-256 of the body before the write; null if there was none. */
    beforeDigest: p.blob().nullable(),
    /**
     * The body that the write replaced or deleted. Null if the body stayed the same, and for files and icons, whose
     * bytes are in `blobs`.
     */
    body: p.text().nullable().lazy(),
    /** Bytes of the replaced or deleted body, file or icon; 0 if it stayed the same. */
    size: p.integer(),
    /** Like `before` and `beforeDigest`, after the write. */
    after: p.json<unknown>().nullable(),
    afterDigest: p.blob().nullable(),
  },
  indexes: [{ name: 'changes_revision_index', properties: ['spaceId', 'revision'] }],
})
