import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/**
 * One change to a page, part, record, file or setting of a space, with the state before and after. Written in the
 * transaction of the change, under the lock of the space. The row has no foreign keys: it outlives accounts and
 * keys, and a foreign key to the space would slow down every write. It has no check constraints either:
 * PostgreSQL would compile them again for each statement. That took 30 % of the processor instructions for
 * recording a change.
 */
export const Change = defineEntity({
  name: 'Change',
  tableName: 'changes',
  properties: {
    spaceId: id().primary(),
    /** The space's revision after the transaction. All changes in one transaction have the same revision. */
    revision: p.bigint('string').primary(),
    /** Order of the changes of one revision. */
    position: p.integer().primary(),
    at: instant(),
    kind: p.text().$type<'page' | 'part' | 'record' | 'file' | 'space'>(),
    /** Identifies the changed item: an id, the key of a record, or the name of a setting. */
    thing: id(),
    action: p.text().$type<'create' | 'change' | 'rename' | 'delete'>(),
    cause: p.text().$type<'write' | 'restore' | 'undo' | 'import'>(),
    /**
     * The id of the operation to which the change belongs: a restore, an undo, an import, or the renaming of a part.
     * All changes of one operation have the same id. Null for an ordinary write.
     */
    operation: id().nullable(),
    /** The item's fields before and after, without the body; null if it did not exist. */
    before: p.json<unknown>().nullable(),
    after: p.json<unknown>().nullable(),
    /** SHA-256 of the body before and after; null if there was none. */
    beforeDigest: p.blob().nullable(),
    afterDigest: p.blob().nullable(),
    actorKind: p.text().$type<'space_key' | 'user_token' | 'session'>(),
    /** The id of the token; for a key, the id before its first rotation; for a session, the id of the account. */
    actor: id(),
    /** The label that the key or token had at that time. */
    actorLabel: p.text().nullable(),
    /** The account that was signed in, or that issued the key or token. */
    account: id(),
    /** The name of the MCP client, as the client reported it; null outside the tool servers. */
    agent: p.text().nullable(),
    /** If earlier changes of the item were deleted from the history, the time of the latest of them; otherwise null. */
    trimmedUntil: instant().nullable(),
    /**
     * Who made the earlier changes of the item that were deleted from the history. Null if no change was deleted.
     * Maps the id of each actor to the time of the actor's latest deleted change. Also maps the id of each operation to
     * the time of the latest deleted change that belonged to the operation. If there are too many ids, those with the
     * earliest times are left out.
     */
    trimmedBy: p.json<Record<string, string>>().nullable(),
  },
  indexes: [
    { name: 'changes_thing_index', properties: ['spaceId', 'kind', 'thing', 'revision', 'position'] },
    { name: 'changes_actor_index', properties: ['spaceId', 'actor', 'revision', 'position'] },
    {
      name: 'changes_trimmed_index',
      expression: `create index "changes_trimmed_index" on "changes" ("space_id") where "trimmed_until" is not null`,
    },
    {
      name: 'changes_operation_index',
      expression: `create index "changes_operation_index" on "changes" ("space_id", "operation") where "operation" is not null`,
    },
  ],
})
