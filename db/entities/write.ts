import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/**
 * One write to the content of a space: who made it, when and why. Inserted by the statement that raises the revision of
 * the space, before the content changes. Triggers record the changes of the write in `changes`.
 *
 * The row has no foreign keys: it outlives accounts and keys, and a foreign key to the space would slow down every
 * write. It has no check constraints either: PostgreSQL would compile them again for each statement.
 */
export const Write = defineEntity({
  name: 'Write',
  tableName: 'writes',
  properties: {
    spaceId: id().primary(),
    /** The space's revision after the write. Each write has a revision of its own, also in a shared transaction. */
    revision: p.bigint('string').primary(),
    at: instant(),
    cause: p.text().$type<'write' | 'restore' | 'undo' | 'import'>(),
    /**
     * The id of a restore, an undo, an import or another write that changes several items; null for a write that
     * changes one item.
     */
    operation: id().nullable(),
    actorKind: p.text().$type<'space_key' | 'user_token' | 'session'>(),
    /** The id of the token; for a key, the id before its first rotation; for a session, the id of the account. */
    actor: id(),
    /** The label that the key or token had at that time. */
    actorLabel: p.text().nullable(),
    /** The account that was signed in, or that issued the key or token. */
    account: id(),
    /** The name of the MCP client, as the client reported it; null outside the tool servers. */
    agent: p.text().nullable(),
  },
  indexes: [
    { name: 'writes_actor_index', properties: ['spaceId', 'actor', 'revision'] },
    {
      name: 'writes_operation_index',
      expression: `create index "writes_operation_index" on "writes" ("space_id", "operation") where "operation" is not null`,
    },
  ],
})
