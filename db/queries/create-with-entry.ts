import { type Compilable, type QueryCreator, sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import { isDistributed } from '../distributed-content.ts'
import type { Tables } from '../orm.ts'
import type { SpaceWrite } from '../space-write.ts'
import {
  CREATION_VALUES,
  type CreationValues,
  creationEntry,
  creationValues,
  recordCreation,
} from './changes.ts'
import { hasOrigin, insertOrigin, originEntry } from './origins.ts'

type Kind = 'page' | 'part' | 'record' | 'file'

/**
 * Returns a function that creates an item and records the creation in the history. If items of this kind have an
 * origin, the function also stores the origin. The function inserts all rows with one statement, which is faster than a
 * statement for each row. But if content is distributed, the function runs a statement for each row.
 *
 * @param insert builds the statement that inserts the item. `insert` must not read its arguments; it can only pass
 * them to the statement as values
 * @returns a function with these arguments: the write, the id of the item, what the history records (the fields and
 * the digest of the body), and the arguments of `insert`
 */
export const createWithEntry = <Values extends unknown[]>(
  kind: Kind,
  insert: (db: QueryCreator<Tables>, spaceId: string, thing: string, ...values: Values) => Compilable,
) => {
  const alone = compileOnceRows(insert)
  const together = compileOnceRows(
    (db, spaceId: string, thing: string, ...all: [...CreationValues, ...Values]) => {
      const entry = all.slice(0, CREATION_VALUES) as unknown as CreationValues
      const values = all.slice(CREATION_VALUES) as Values
      const withEntry = db.with('entry', () => sql<object>`(${creationEntry(spaceId, kind, thing, entry)})`)
      return insert(
        hasOrigin(kind) ? withEntry.with('origin', () => originEntry(db, spaceId, kind, thing)) : withEntry,
        spaceId,
        thing,
        ...values,
      )
    },
    { count: insert.length - 1 + CREATION_VALUES },
  )
  return (
    write: SpaceWrite,
    thing: string,
    { fields, digest }: { fields: object; digest: Buffer },
    ...values: Values
  ): Promise<unknown> => {
    const { sql: db, spaceId } = write
    if (isDistributed(db))
      return Promise.all([
        recordCreation(write, kind, thing, fields, digest),
        hasOrigin(kind) && insertOrigin(db, spaceId, kind, thing),
        alone(db, spaceId, thing, ...values),
      ])
    return together(db, spaceId, thing, ...creationValues(write, fields, digest), ...values)
  }
}
