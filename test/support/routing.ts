import type { DeleteStmt, InsertStmt, Node, RangeVar, SelectStmt, UpdateStmt, WithClause } from 'libpg-query'
import { loadModule, parseSync } from 'libpg-query'
import { DISTRIBUTED } from './partitions.ts'
import { Key } from './routing-key.ts'
import {
  columnOf,
  newScope,
  type Output,
  type Relation,
  relationOf,
  renamed,
  type Scope,
} from './routing-scope.ts'
import { addsInterval, contains, hasSubquery, isObject, isVolatile, namesOf } from './statement-nodes.ts'

await loadModule()

/**
 * Why Citus could not send a statement to one server.
 *
 * - `spaces`: it does not restrict all content tables to the same space
 * - `join`: it joins content with the directory, which only the coordinator has; Citus runs the statement in
 *   parts, through the coordinator
 * - `form`: it has a form that Citus refuses
 */
export type Fault = 'spaces' | 'join' | 'form'

/** A fault of a statement, with an explanation. */
export interface FoundFault {
  fault: Fault
  detail: string
}

type Queries = ReadonlyMap<string, readonly Output[]>

/** Reads one statement, and finds out which space each of its tables is restricted to. */
class Reading {
  readonly #parameters: readonly unknown[]
  readonly #values = new Map<unknown, Key>()
  /** The content tables in the statement, with their keys. A table that is named twice has two entries. */
  readonly #content: { table: string; key: Key }[] = []
  readonly #local = new Set<string>()
  readonly #forms = new Set<string>()
  #isRecursive = false

  constructor(parameters: readonly unknown[]) {
    this.#parameters = parameters
  }

  faults(): FoundFault[] {
    if (this.#content.length === 0) return []
    const faults: FoundFault[] = []
    const unnamed = this.#content.filter(({ key }) => key.values().size !== 1).map(({ table }) => table)
    const spaces = new Set(this.#content.flatMap(({ key }) => [...key.values()]))
    if (unnamed.length > 0)
      faults.push({ fault: 'spaces', detail: `names no space for ${[...new Set(unnamed)].join(', ')}` })
    else if (spaces.size > 1) faults.push({ fault: 'spaces', detail: 'names several spaces' })
    if (this.#local.size > 0)
      faults.push({ fault: 'join', detail: `joins content with ${[...this.#local].join(', ')}` })
    if (this.#isRecursive && faults.length > 0) this.#forms.add('is recursive, but is not for one server')
    for (const detail of this.#forms) faults.push({ fault: 'form', detail })
    return faults
  }

  statement(node: Node): void {
    this.#query(node, undefined, new Map())
  }

  #query(node: Node, outer: Scope | undefined, queries: Queries): Output[] {
    if ('SelectStmt' in node) return this.#select(node.SelectStmt, outer, queries)
    if ('InsertStmt' in node) return this.#insert(node.InsertStmt, outer, queries)
    if ('UpdateStmt' in node) return this.#change(node.UpdateStmt, node.UpdateStmt.fromClause, outer, queries)
    if ('DeleteStmt' in node)
      return this.#change(node.DeleteStmt, node.DeleteStmt.usingClause, outer, queries)
    return []
  }

  #select(select: SelectStmt, outer: Scope | undefined, given: Queries): Output[] {
    const queries = this.#with(select.withClause, outer, given)
    const { larg, rarg } = select
    if (larg && rarg) {
      const outputs = this.#select(larg, outer, queries)
      this.#select(rarg, outer, queries)
      return outputs
    }
    const scope = newScope(outer)
    const { valuesLists = [] } = select
    if (valuesLists.length > 0) {
      this.#subqueries(valuesLists, scope, queries)
      return this.#valuesOf(valuesLists, scope)
    }
    this.#from(select.fromClause ?? [], scope, queries)
    this.#where(select.whereClause, scope)
    const { withClause: _with, fromClause: _from, ...rest } = select
    this.#subqueries(rest, scope, queries)
    return this.#outputs(select.targetList ?? [], scope)
  }

  /**
   * Returns the columns of a `values` list. Each column gets a {@link Key}: the keys of all values in the column,
   * joined into one. If one of these values has no key, the column has no key either.
   */
  #valuesOf(lists: readonly Node[], scope: Scope): Output[] {
    const rows = lists.map(row => ('List' in row ? (row.List.items ?? []) : []))
    return (rows[0] ?? []).map((_, index) => {
      const keys = rows.map(row => this.#keyOf(row[index], scope))
      const [first] = keys
      if (keys.some(key => key === undefined)) return { name: '', key: undefined }
      for (const key of keys) first!.join(key!)
      return { name: '', key: first }
    })
  }

  #insert(insert: InsertStmt, outer: Scope | undefined, given: Queries): Output[] {
    const queries = this.#with(insert.withClause, outer, given)
    const target = this.#table(insert.relation!)
    const scope = newScope(outer, target)
    const source = insert.selectStmt
    if (source) {
      const outputs = this.#query(source, outer, queries)
      const columns = (insert.cols ?? []).map(column =>
        'ResTarget' in column ? column.ResTarget.name : undefined,
      )
      for (const [column, key] of target.keys) {
        const value = outputs[columns.indexOf(column)]?.key
        if (value) key.join(value)
      }
      if (
        target.keys.size > 0 &&
        'SelectStmt' in source &&
        (source.SelectStmt.valuesLists ?? []).length > 0
      ) {
        if (hasSubquery(source)) this.#forms.add('has a subquery among the values of an insert')
        if (insert.withClause) this.#forms.add('inserts values beside a common table expression')
      }
    }
    if (target.keys.size > 0 && hasSubquery(insert.returningClause))
      this.#forms.add('returns a subquery from an insert')
    this.#subqueries([insert.onConflictClause, insert.returningClause], scope, queries)
    return this.#outputs(insert.returningClause?.exprs ?? [], scope)
  }

  /** Reads an update or a deletion. */
  #change(
    change: UpdateStmt | DeleteStmt,
    from: readonly Node[] | undefined,
    outer: Scope | undefined,
    given: Queries,
  ): Output[] {
    const queries = this.#with(change.withClause, outer, given)
    const target = this.#table(change.relation!)
    const scope = newScope(outer, target)
    this.#from(from ?? [], scope, queries)
    this.#where(change.whereClause, scope)
    const { withClause: _with, ...rest } = change
    const { fromClause: _from, usingClause: _using, ...own } = rest as UpdateStmt & DeleteStmt
    this.#subqueries(own, scope, queries)
    if (target.keys.size > 0) {
      if (contains(own, isVolatile)) this.#forms.add('calls a volatile function in an update')
      if (contains(own, addsInterval)) this.#forms.add('adds an interval to a column in an update')
    }
    return this.#outputs(change.returningClause?.exprs ?? [], scope)
  }

  #with(clause: WithClause | undefined, outer: Scope | undefined, given: Queries): Queries {
    if (!clause) return given
    if (clause.recursive) this.#isRecursive = true
    const queries = new Map(given)
    for (const node of clause.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue
      const { ctename, ctequery, aliascolnames } = node.CommonTableExpr
      // A recursive query reads itself.
      if (clause.recursive) queries.set(ctename!, [])
      const outputs = this.#query(ctequery!, outer, queries)
      queries.set(ctename!, renamed(outputs, namesOf(aliascolnames)))
    }
    return queries
  }

  #from(items: readonly Node[], scope: Scope, queries: Queries): void {
    for (const item of items) this.#fromItem(item, scope, queries)
  }

  #fromItem(item: Node, scope: Scope, queries: Queries): void {
    if ('RangeVar' in item) scope.relations.push(this.#named(item.RangeVar, queries))
    else if ('RangeSubselect' in item) {
      const { subquery, alias, lateral } = item.RangeSubselect
      const outputs = this.#query(subquery!, lateral ? scope : scope.outer, queries)
      scope.relations.push(relationOf(outputs, alias))
    } else if ('RangeFunction' in item) {
      this.#subqueries(item.RangeFunction.functions, scope, queries)
      scope.relations.push(relationOf([], item.RangeFunction.alias))
    } else if ('JoinExpr' in item) {
      const { larg, rarg, jointype, quals } = item.JoinExpr
      const before = scope.relations.length
      this.#fromItem(larg!, scope, queries)
      const left = scope.relations.slice(before)
      this.#fromItem(rarg!, scope, queries)
      this.#subqueries(quals, scope, queries)
      if (jointype === 'JOIN_INNER') this.#condition(quals, scope)
      if (jointype === 'JOIN_LEFT') scope.outerJoins.push({ condition: quals, kept: left })
    }
  }

  #named(range: RangeVar, queries: Queries): Relation {
    const outputs = range.schemaname === undefined ? queries.get(range.relname!) : undefined
    return outputs ? relationOf(outputs, range.alias, range.relname) : this.#table(range)
  }

  #table({ relname, alias }: RangeVar): Relation {
    const table = relname!
    const name = alias?.aliasname ?? table
    const column = DISTRIBUTED[table]
    if (column === undefined) {
      this.#local.add(table)
      return { name, keys: new Map(), isOpaque: true }
    }
    const key = new Key()
    this.#content.push({ table, key })
    return { name, keys: new Map([[column, key]]), isOpaque: false }
  }

  #where(condition: Node | undefined, scope: Scope): void {
    this.#condition(condition, scope)
    for (const join of scope.outerJoins) this.#condition(join.condition, scope, join.kept)
  }

  /**
   * Finds the keys that a condition requires to be equal, and merges them with `Key.join`.
   *
   * @param kept for the condition of a left join: the relations on the left side. The join returns all rows of these
   * relations, even rows that do not meet the condition.
   */
  #condition(condition: Node | undefined, scope: Scope, kept: readonly Relation[] = []): void {
    if (!condition) return
    if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR')
      for (const part of condition.BoolExpr.args ?? []) this.#condition(part, scope, kept)
    if (!('A_Expr' in condition)) return
    const { kind, name, lexpr, rexpr } = condition.A_Expr
    if (kind !== 'AEXPR_OP' || namesOf(name).join() !== '=') return
    const [left, right] = [this.#keyOf(lexpr, scope), this.#keyOf(rexpr, scope)]
    const isUnrestricted = (key: Key) =>
      kept.some(({ keys }) => [...keys.values()].includes(key)) && key.values().size === 0
    if (left && right && !isUnrestricted(left) && !isUnrestricted(right)) left.join(right)
  }

  #keyOf(node: Node | undefined, scope: Scope): Key | undefined {
    if (!node) return undefined
    if ('TypeCast' in node) return this.#keyOf(node.TypeCast.arg, scope)
    if ('ParamRef' in node) return this.#keyOfValue(this.#parameters[node.ParamRef.number! - 1])
    if ('A_Const' in node) return this.#keyOfValue(node.A_Const.sval?.sval)
    if ('ColumnRef' in node) return columnOf(namesOf(node.ColumnRef.fields), scope)
    return undefined
  }

  #keyOfValue(value: unknown): Key {
    const key = this.#values.get(value) ?? Key.of(value)
    this.#values.set(value, key)
    return key
  }

  /** Reads the subqueries in expressions. */
  #subqueries(value: unknown, scope: Scope, queries: Queries): void {
    if (Array.isArray(value)) for (const item of value) this.#subqueries(item, scope, queries)
    else if (isObject(value)) {
      if (isObject(value.SubLink) && isObject(value.SubLink.subselect))
        this.#query(value.SubLink.subselect as unknown as Node, scope, queries)
      for (const [name, item] of Object.entries(value))
        if (name !== 'subselect') this.#subqueries(item, scope, queries)
    }
  }

  #outputs(targets: readonly Node[], scope: Scope): Output[] {
    return targets.flatMap(target => {
      if (!('ResTarget' in target)) return []
      const { name, val } = target.ResTarget
      if (val && 'ColumnRef' in val) {
        const { fields = [] } = val.ColumnRef
        const names = namesOf(fields)
        if (fields.some(field => 'A_Star' in field))
          return scope.relations
            .filter(relation => names.length === 0 || relation.name === names[0])
            .flatMap(({ keys }) => [...keys].map(([column, key]) => ({ name: column, key })))
        return [{ name: name ?? names.at(-1)!, key: this.#keyOf(val, scope) }]
      }
      return [{ name: name ?? '', key: this.#keyOf(val, scope) }]
    })
  }
}

/**
 * Returns the reasons why Citus could not send a statement to one server. Every statement about the content of a space
 * should run on the server that has this content. A statement that names no content table has no faults: such a
 * statement uses only the directory, which is on the coordinator.
 *
 * @param parameters the values of `$1` and so on. If two parameters have the same value, they name the same space.
 */
export const faultsOf = (text: string, parameters: readonly unknown[] = []): FoundFault[] => {
  const reading = new Reading(parameters)
  for (const { stmt } of parseSync(text).stmts ?? []) if (stmt) reading.statement(stmt)
  return reading.faults()
}
