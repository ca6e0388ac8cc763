/** The content of spaces, and its history. */
import { defineEntity, p } from '@mikro-orm/core'
import { id, instant, name } from './columns.ts'

/**
 * The row of a space on the server that has the space's content. The content refers to this row, and writers lock this
 * row. The subdomain and the name are copies from `space_names`. So serving a page reads no table of the directory.
 */
export const Space = defineEntity({
  name: 'Space',
  tableName: 'spaces',
  properties: {
    id: id().primary(),
    subdomain: p.text(),
    name: p.text(),
    /**
     * The domain of the site's main address; null for its subdomain. A copy of what `domains` says, changed together
     * with the revision, so that everything that was made from the earlier address is outdated.
     */
    mainHost: p.text().nullable(),
    /** Incremented by every write to the site's content, under the space's lock. */
    revision: p.bigint('string').default(1),
    createdAt: instant(),
    /**
     * The transaction that has raised the revision. A trigger refuses changes of content in another transaction: they
     * would have no write of their own. Null if content is distributed, because each server numbers its own transactions.
     */
    transaction: p.text().columnType('xid8').nullable().default('0'),
  },
})

export const Page = defineEntity({
  name: 'Page',
  tableName: 'pages',
  properties: {
    space: () => p.manyToOne(Space).mapToPk().primary().deleteRule('cascade'),
    id: id().primary(),
    slug: name(),
    kind: p.enum(['scripted', 'static'] as const),
    html: p.text(),
    /** Names of parts that the template includes by literal name. */
    includes: p.array().$type<string[]>(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  uniques: [{ name: 'pages_slug_unique', properties: ['space', 'slug'] }],
})

export const Part = defineEntity({
  name: 'Part',
  tableName: 'parts',
  properties: {
    space: () => p.manyToOne(Space).mapToPk().primary().deleteRule('cascade'),
    id: id().primary(),
    name: name(),
    html: p.text(),
    /** Length of `html` in code points, the unit of the space's quota. */
    length: p.integer(),
    /** Names of parts that the template includes by literal name; the edges of the include graph. */
    includes: p.array().$type<string[]>(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  uniques: [{ name: 'parts_name_unique', properties: ['space', 'name'] }],
})

export const DataRecord = defineEntity({
  name: 'DataRecord',
  tableName: 'data_records',
  properties: {
    space: () => p.manyToOne(Space).mapToPk().primary().deleteRule('cascade'),
    key: name().primary(),
    /** Compact JSON as text: jsonb would reorder keys, change numbers and refuse U+0000. */
    value: p.text(),
    /** Bytes of `value` in UTF-8. */
    size: p.integer(),
    description: p.text().nullable(),
    version: p.integer(),
    updatedAt: instant(),
  },
})

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

/**
 * What one write did to a page, part, record, file or setting of a space. Only the triggers of these tables insert rows
 * (see `recordChange` in `db/migrations`), so no code can forget it.
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
