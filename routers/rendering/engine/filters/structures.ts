import type { FilterImplOptions, Liquid } from 'liquidjs'
import { budgetOf } from '../context.ts'
import { isNil, plain } from '../html.ts'
import { structureOf } from '../structure.ts'
import { numberOf } from './numbers.ts'

type FilterThis = ThisParameterType<Exclude<FilterImplOptions, { raw: boolean }>>

const ESCAPES: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** Maximum indentation that `JSON.stringify` accepts. */
const MAX_INDENT = 10

/**
 * Returns a value as JSON, `null` for a missing value. Characters that could end a script or begin markup only occur in
 * strings, and are written as `\u003c` there. So the JSON can be printed with `raw` inside a `script` element.
 */
function json(this: FilterThis, value: unknown, indent: unknown): string {
  const budget = budgetOf(this.context)
  const spaces = Math.min(Math.max(Math.trunc(numberOf(indent)), 0), MAX_INDENT)
  const text = isNil(value) ? 'null' : (structureOf(plain(value), budget, spaces) ?? 'null')
  budget.use(text.length)
  return text.replace(/[<>&\u2028\u2029]/g, character => ESCAPES[character]!)
}

export const STRUCTURE_FILTERS: Liquid['filters'] = { json, jsonify: json }
