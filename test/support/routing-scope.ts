/** The tables and columns that a part of a statement can use. */
import type { Alias, Node } from 'libpg-query'
import type { Key } from './routing-key.ts'
import { namesOf } from './statement-nodes.ts'

/** What a part of a statement reads from: a table, a subquery or a function. */
export interface Relation {
  name: string
  keys: ReadonlyMap<string, Key>
  /** Whether columns with the id of a space can be missing from `keys`. True only for tables of the directory. */
  isOpaque: boolean
}

export interface Scope {
  relations: Relation[]
  /**
   * The left joins. `kept` has the relations on the left side of a join. The join returns all rows of these relations,
   * even rows that do not meet the condition.
   */
  outerJoins: { condition: Node | undefined; kept: readonly Relation[] }[]
  outer: Scope | undefined
}

export const newScope = (outer: Scope | undefined, ...relations: Relation[]): Scope => ({
  relations,
  outerJoins: [],
  outer,
})

/** A column of the result of a query. */
export interface Output {
  name: string
  key: Key | undefined
}

/** Returns the columns with new names, as far as there are new names. */
export const renamed = (outputs: readonly Output[], names: readonly string[]): Output[] =>
  outputs.map(({ name, key }, index) => ({ name: names[index] ?? name, key }))

/** Returns what a subquery or function with these columns is, under its alias. */
export const relationOf = (outputs: readonly Output[], alias: Alias | undefined, name = ''): Relation => ({
  name: alias?.aliasname ?? name,
  keys: new Map(
    renamed(outputs, namesOf(alias?.colnames)).flatMap(({ name: column, key }) =>
      key ? [[column, key]] : [],
    ),
  ),
  isOpaque: false,
})

/**
 * Returns the key of a column, given as `column` or as `table`, `column`. Returns undefined if the column does not
 * contain the id of a space.
 */
export const columnOf = (names: readonly string[], scope: Scope | undefined): Key | undefined => {
  const column = names.at(-1)
  if (!scope || column === undefined) return undefined
  if (names.length > 1) {
    const relation = scope.relations.find(({ name }) => name === names.at(-2))
    return relation ? relation.keys.get(column) : columnOf(names, scope.outer)
  }
  const found = scope.relations.find(({ keys }) => keys.has(column))
  if (found) return found.keys.get(column)
  return scope.relations.some(({ isOpaque }) => isOpaque) ? undefined : columnOf(names, scope.outer)
}
