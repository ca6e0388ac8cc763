/** Recognizes nodes in the parse tree of a statement. */
import type { A_Expr, Node } from 'libpg-query'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Returns the parts of a name. */
export const namesOf = (nodes: readonly Node[] = []): string[] =>
  nodes.flatMap(node => ('String' in node ? (node.String.sval ?? []) : []))

/** Whether a node or any node below it satisfies a condition. */
export const contains = (value: unknown, condition: (node: Record<string, unknown>) => boolean): boolean => {
  if (Array.isArray(value)) return value.some(item => contains(item, condition))
  if (!isObject(value)) return false
  return condition(value) || Object.values(value).some(item => contains(item, condition))
}

/** Whether a node or any node below it is a subquery. */
export const hasSubquery = (value: unknown): boolean => contains(value, node => 'SubLink' in node)

const VOLATILE = new Set(['random', 'nextval', 'clock_timestamp', 'gen_random_uuid', 'gen_random_bytes'])

/** Whether a node calls a function that returns a different value for each row. */
export const isVolatile = (node: Record<string, unknown>): boolean =>
  isObject(node.FuncCall) && namesOf(node.FuncCall.funcname as Node[]).some(name => VOLATILE.has(name))

/**
 * Whether a node adds an interval to a column. If the column has a time zone, the result depends on the session's time
 * zone, and Citus refuses such an expression in an update. A column inside a function call does not count, because the
 * function can convert it to a type without a time zone.
 */
export const addsInterval = (node: Record<string, unknown>): boolean => {
  if (!isObject(node.A_Expr)) return false
  const { name, lexpr, rexpr } = node.A_Expr as A_Expr
  const isInterval = (side: Node | undefined) =>
    side !== undefined &&
    'TypeCast' in side &&
    namesOf(side.TypeCast.typeName?.names).some(type => type === 'interval')
  return (
    namesOf(name).some(operator => operator === '+' || operator === '-') &&
    (isInterval(lexpr) || isInterval(rexpr)) &&
    [lexpr, rexpr].some(side => side !== undefined && 'ColumnRef' in side)
  )
}
