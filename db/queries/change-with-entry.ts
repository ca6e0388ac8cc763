import { type RawBuilder, sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import { isDistributed } from '../distributed-content.ts'
import type { SpaceWrite } from '../space-write.ts'
import { authorValues, both, COLUMNS, recordChange } from './changes.ts'

/** The state of an item before a change, as read while the space is locked. */
interface Before {
  /** All fields that the history keeps of the item. */
  fields: object
  /** The digest of the body. */
  digest: Buffer
}

/** The entry in the history for a change that `changeWithEntry` makes. */
interface Entry {
  before: Before
  /** The new fields; if the body stays the same, at least one of them must change. */
  after: object
  /** The digest of the new body. */
  digest: Buffer
}

/** Number of arguments of the statement that come from the {@link Entry} and the {@link SpaceWrite}. */
const ENTRY_VALUES = 14

/**
 * Returns a function that gives an item a new body and records the change in the history.
 *
 * If content is distributed, the function calls {@link recordChange} and changes the item with a separate statement.
 * Otherwise, one statement changes the item and records the change, which is faster. The caller passes the old fields
 * of the item, so this statement does not read these fields.
 *
 * @param names `table`: the table of the items. `id`: the column with the id. `text`: the column with the body
 * @param update builds the statement that changes the item; `update` must use its arguments only as values
 * @returns a function to call with the write, the id of an existing item, the entry, and the `values` for `update`
 */
export const changeWithEntry = <Values extends unknown[]>(
  kind: 'page' | 'record',
  { table, id, text }: { table: string; id: string; text: string },
  update: (spaceId: string, thing: string, ...values: Values) => RawBuilder<unknown>,
) => {
  const alone = compileOnceRows(
    (db, spaceId: string, thing: string, ...values: Values) => ({
      compile: () => update(spaceId, thing, ...values).compile(db),
    }),
    { count: update.length },
  )
  const together = compileOnceRows(
    (
      db,
      spaceId: string,
      thing: string,
      revision: string,
      position: number,
      at: Date,
      cause: string,
      operation: string | null,
      before: string,
      beforeDigest: Buffer,
      after: string,
      digest: Buffer,
      actorKind: string,
      actor: string,
      label: string | null,
      account: string,
      agent: string | null,
      ...values: Values
    ) => ({
      compile: () =>
        sql`with kept as (
            insert into bodies (space_id, digest, text, size)
            select space_id, ${beforeDigest}, ${sql.ref(text)}, octet_length(${sql.ref(text)})
            from ${sql.table(table)}
            where space_id = ${spaceId} and ${sql.ref(id)} = ${thing} and ${beforeDigest}::bytea <> ${digest}::bytea
            on conflict (space_id, digest) do nothing
          ), changed as (${update(spaceId, thing, ...values)})
          insert into changes (${COLUMNS})
          select ${spaceId}, ${revision}::bigint, ${position}::int, ${at}::timestamptz, ${sql.lit(kind)}, ${thing}, 'change',
            ${cause}, ${operation}, ${before}::jsonb, ${beforeDigest}::bytea, ${after}::jsonb, ${digest}::bytea,
            ${actorKind}, ${actor}, ${label}, ${account}, ${agent}`.compile(db),
    }),
    { count: ENTRY_VALUES + update.length },
  )
  return (
    write: SpaceWrite,
    thing: string,
    { before, after, digest }: Entry,
    ...values: Values
  ): Promise<unknown> => {
    const { sql: db, spaceId, author, cause, operation } = write
    if (isDistributed(db))
      return both(
        recordChange(write, { kind, thing, action: 'change', after, body: digest }),
        alone(db, spaceId, thing, ...values),
      )
    return together(
      db,
      spaceId,
      thing,
      write.revision,
      write.nextPosition(),
      new Date(),
      cause,
      operation,
      JSON.stringify(before.fields),
      before.digest,
      JSON.stringify({ ...before.fields, ...after }),
      digest,
      ...authorValues(author),
      ...values,
    )
  }
}
