import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import { isDistributed } from '../distributed-content.ts'
import type { Sql, Tables } from '../orm.ts'
import type { Author, SpaceWrite } from '../space-write.ts'

export type ChangeKind = Tables['changes']['kind']
export type ChangeAction = Tables['changes']['action']

/** The settings of a space that its history covers. */
export type Setting = 'name' | 'icon'

/** Returns the SHA-256 of a body. The history refers to bodies by this digest. */
export const digestOfBody = (text: string): Buffer => hash('sha256', text, 'buffer')

/** A query for the stored states of the items whose ids meet a condition, such as `= 'a'`. */
type Source = (spaceId: string, condition: RawBuilder<unknown>) => RawBuilder<unknown>

/**
 * Queries for the stored state of an item: its id, its fields, its body as `text`, and the digest of its
 * body. `text` is null for a setting, and for a file, whose bytes are in `blobs` already.
 */
export const SOURCES: Record<Exclude<ChangeKind, 'space'> | Setting, Source> = {
  page: (spaceId, id) => sql`
      select id as thing, jsonb_build_object('name', slug, 'kind', kind, 'includes', includes, 'created_at', created_at) as fields,
        html as text, sha256(convert_to(html, 'UTF8')) as digest
      from pages where space_id = ${spaceId} and id ${id}`,
  part: (spaceId, id) => sql`
      select id as thing, jsonb_build_object('name', name, 'includes', includes, 'created_at', created_at) as fields,
        html as text, sha256(convert_to(html, 'UTF8')) as digest
      from parts where space_id = ${spaceId} and id ${id}`,
  record: (spaceId, id) => sql`
      select key as thing, jsonb_build_object('name', key, 'description', description, 'version', version) as fields,
        value as text, sha256(convert_to(value, 'UTF8')) as digest
      from data_records where space_id = ${spaceId} and key ${id}`,
  file: (spaceId, id) => sql`
      select id as thing, jsonb_build_object('name', name, 'size', size, 'created_at', created_at, 'uploaded_by', uploaded_by_id,
          'position', position) as fields,
        null::text as text, digest
      from files where space_id = ${spaceId} and id ${id}`,
  name: (spaceId, id) => sql`
      select 'name' as thing, jsonb_build_object('name', name) as fields, null::text as text, null::bytea as digest
      from spaces where id = ${spaceId} and 'name' ${id}`,
  icon: (spaceId, id) => sql`
      select 'icon' as thing, jsonb_build_object('size', octet_length(png)) as fields, null::text as text, sha256(png) as digest
      from icons where space_id = ${spaceId} and 'icon' ${id}`,
}

/** The state of an item: its fields, and its body or the digest of its bytes. */
export interface StoredState {
  fields: Record<string, unknown>
  text: string | null
  digest: Buffer | null
}

const STATES = Object.fromEntries(
  Object.entries(SOURCES).map(([name, source]) => [
    name,
    compileOnce((db, spaceId: string, id: string) => ({
      compile: () => sql<StoredState>`${source(spaceId, sql`= ${id}`)}`.compile(db),
    })),
  ]),
) as Record<keyof typeof SOURCES, (db: Sql, spaceId: string, id: string) => Promise<StoredState | undefined>>

/** The current state of an item; undefined if there is no such item. */
export const readState = (db: Sql, spaceId: string, kind: ChangeKind, thing: string) =>
  STATES[kind === 'space' ? (thing as Setting) : kind](db, spaceId, thing)

/** The columns of a change, in the order in which statements write them. */
export const COLUMNS = sql`space_id, revision, position, at, kind, thing, action, cause, operation, before, before_digest, after,
  after_digest, actor_kind, actor, actor_label, account, agent`

/** The revision of a space. */
export const revisionOf = (spaceId: string) => sql`(select revision from spaces where id = ${spaceId})`

/** Returns the values of an entry for a creation, in the order of {@link creationEntry}. */
export const creationValues = (write: SpaceWrite, after: object, digest: Buffer | null): CreationValues => [
  write.nextPosition(),
  new Date(),
  write.cause,
  write.operation,
  JSON.stringify(after),
  digest,
  ...authorValues(write.author),
]

export type CreationValues = readonly [
  position: number,
  at: Date,
  cause: string,
  operation: string | null,
  after: string,
  digest: Buffer | null,
  ...author: ReturnType<typeof authorValues>,
]

/** The number of values that {@link creationValues} returns. */
export const CREATION_VALUES = 11

/** A statement that records the creation of an item. */
export const creationEntry = (
  spaceId: string,
  kind: ChangeKind,
  thing: string,
  [position, at, cause, operation, after, digest, ...author]: CreationValues,
) =>
  // Select from `spaces`, because Citus accepts no subquery in `values`.
  sql`insert into changes (${COLUMNS})
    select id, revision, ${position}::int, ${at}::timestamptz, ${kind}, ${thing}, 'create', ${cause}, ${operation}, null, null,
      ${after}::jsonb, ${digest}::bytea, ${sql.join(author)}
    from spaces where id = ${spaceId}`

const insertCreation = compileOnceRows(
  (db, spaceId: string, kind: ChangeKind, thing: string, ...values: CreationValues) => ({
    compile: () => creationEntry(spaceId, kind, thing, values).compile(db),
  }),
  { count: 3 + CREATION_VALUES },
)

/** Keeps the body that a change replaces. The statement must run before the item is changed. */
const keepBodyOf = (source: Source) =>
  compileOnceRows((db, spaceId: string, thing: string, keepsBody: boolean, digest: Buffer | null) => ({
    compile: () =>
      sql`insert into bodies (space_id, digest, text, size)
        select space.id, digest, text, octet_length(text)
        from spaces as space cross join (${source(spaceId, sql`= ${thing}`)}) as before
        where space.id = ${spaceId} and text is not null and not ${keepsBody}::boolean
          and digest is distinct from ${digest}::bytea
        on conflict (space_id, digest) do nothing`.compile(db),
  }))

/**
 * Inserts a change of an existing item. Reads the state before the change.
 *
 * @param keepsBodies whether the statement also keeps the body that the change replaces, see `keepBodyOf`
 */
const insertChangeOf = (source: Source, keepsBodies: boolean) =>
  compileOnceRows(
    (
      db,
      spaceId: string,
      position: number,
      at: Date,
      kind: ChangeKind,
      thing: string,
      action: ChangeAction,
      cause: string,
      operation: string | null,
      after: string | null,
      keepsBody: boolean,
      digest: Buffer | null,
      actorKind: string,
      actor: string,
      label: string | null,
      account: string,
      agent: string | null,
    ) => ({
      compile: () =>
        sql`${
          keepsBodies
            ? sql`with before as materialized (${source(spaceId, sql`= ${thing}`)}),
          kept as (
            insert into bodies (space_id, digest, text, size)
            select ${spaceId}, digest, text, octet_length(text) from before
            where text is not null and not ${keepsBody}::boolean and digest is distinct from ${digest}::bytea
            on conflict (space_id, digest) do nothing
          )`
            : sql``
        }
          insert into changes (${COLUMNS})
          select space.id, space.revision, ${position}::int, ${at}::timestamptz, ${kind}, ${thing}, ${action}, ${cause}, ${operation},
            fields, digest, fields || ${after}::jsonb,
            case when ${keepsBody}::boolean then digest else ${digest}::bytea end,
            ${actorKind}, ${actor}, ${label}, ${account}, ${agent}
          from spaces as space cross join ${keepsBodies ? sql`before` : sql`(${source(spaceId, sql`= ${thing}`)}) as before`}
          where space.id = ${spaceId} and (fields || ${after}::jsonb is distinct from fields
            or (not ${keepsBody}::boolean and digest is distinct from ${digest}::bytea))`.compile(db),
    }),
  )

const CHANGES = Object.fromEntries(
  Object.entries(SOURCES).map(([name, source]) => [
    name,
    { both: insertChangeOf(source, true), body: keepBodyOf(source), change: insertChangeOf(source, false) },
  ]),
) as Record<
  keyof typeof SOURCES,
  Record<'both' | 'change', ReturnType<typeof insertChangeOf>> & { body: ReturnType<typeof keepBodyOf> }
>

/** Returns the values of the columns that describe the author of a change, in their order in `COLUMNS`. */
export const authorValues = ({ kind, id, label, accountId, agent }: Author) =>
  [kind, id, label, accountId, agent] as const

/** Records that an item was created. Send it before the statement that creates the item. */
export const recordCreation = (
  write: SpaceWrite,
  kind: ChangeKind,
  thing: string,
  after: object,
  digest: Buffer | null,
) => insertCreation(write.sql, write.spaceId, kind, thing, ...creationValues(write, after, digest))

/** A change to an existing item. */
interface ChangeOf {
  kind: ChangeKind
  thing: string
  action: ChangeAction
  /** The fields that change; null for a deletion. */
  after: object | null
  /** The digest of the new body, `same` if the body does not change, or null if there is none. */
  body: Buffer | 'same' | null
}

/**
 * Records a change of an item. Does nothing if the item does not exist or stays the same. Call this function before you
 * send the statement that changes the item, because this function reads the item's state before the change.
 */
export const recordChange = (write: SpaceWrite, { kind, thing, action, after, body }: ChangeOf) => {
  const { sql: db, spaceId, author, cause, operation } = write
  const statements = CHANGES[kind === 'space' ? (thing as Setting) : kind]
  const keepsBody = body === 'same'
  const digest = body === 'same' ? null : body
  const isSplit = isDistributed(db)
  const hasBody = kind === 'page' || kind === 'part' || kind === 'record'
  const kept = isSplit && hasBody ? statements.body(db, spaceId, thing, keepsBody, digest) : undefined
  const inserted = (isSplit ? statements.change : statements.both)(
    db,
    spaceId,
    write.nextPosition(),
    new Date(),
    kind,
    thing,
    action,
    cause,
    operation,
    after && JSON.stringify(after),
    keepsBody,
    digest,
    ...authorValues(author),
  )
  return Promise.all([kept, inserted])
}

/** Like {@link recordChange}, for a deletion. */
export const recordDeletion = (write: SpaceWrite, kind: ChangeKind, thing: string) =>
  recordChange(write, { kind, thing, action: 'delete', after: null, body: null })

/**
 * Waits for the statement that records a change and for the statement that makes the change.
 *
 * @param recorded the statement that records the change; it must be sent first
 */
export const both = async <T>(recorded: Promise<unknown>, written: Promise<T>): Promise<T> => {
  const [, result] = await Promise.all([recorded, written])
  return result
}

/** Stores bytes under their digest, unless the space has them already. */
export const keepBytes = compileOnceRows(
  (db, space_id: string, digest: Buffer, bytes: Buffer, size: number) =>
    db
      .insertInto('blobs')
      .values({ space_id, digest, bytes, size })
      .onConflict(conflict => conflict.columns(['space_id', 'digest']).doNothing()),
)
