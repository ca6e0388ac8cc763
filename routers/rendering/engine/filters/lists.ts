import { Drop, type FilterImplOptions, filters, type Liquid } from 'liquidjs'
import type { Budget } from '../budget.ts'
import { budgetOf, characterCount, firstEntry, type SafeContext } from '../context.ts'
import { Html, isNil, plain, print, printRaw } from '../html.ts'
import { structureOf } from '../structure.ts'
import { add, numberOf } from './numbers.ts'

type Handler = Exclude<FilterImplOptions, { raw: boolean }>
type FilterThis = ThisParameterType<Handler>

/** The elements of a list and of all lists inside it; `[]` for a missing value; a list with only `value` otherwise. */
export function flatList(value: unknown, budget: Budget): unknown[] {
  const list = plain(value)
  if (isNil(list)) return []
  if (!Array.isArray(list)) return [list]
  return list.some(Array.isArray) ? flattened(list, budget, []) : list
}

function flattened(list: unknown[], budget: Budget, into: unknown[]): unknown[] {
  // A list can contain the same list twice, so the result can double with every level of nesting.
  budget.use(list.length)
  for (const element of list) {
    if (Array.isArray(element)) flattened(element, budget, into)
    else into.push(element)
  }
  return into
}

/**
 * The value of a property of a list's element. `property` can be a path such as `author.name`. As in Shopify, if
 * the element is a string that contains the property's name, the value is that name.
 */
export function propertyOf(context: SafeContext, element: unknown, property: string): unknown {
  const item = plain(element)
  if (typeof item === 'string') return item.includes(property) ? property : undefined
  if (typeof item !== 'object' || item === null) return undefined
  const value = context.read(item, [property])
  if (value !== undefined) return value
  const path = property.split(/[.[\]"']+/).filter(name => name !== '')
  return path.length > 1 ? context.read(item, path) : undefined
}

/** Returns the name of a property from a filter's argument; undefined if the argument is missing or `nil`. */
export function propertyName(argument: unknown, budget: Budget): string | undefined {
  return isNil(argument) ? undefined : printRaw(plain(argument), budget)
}

const asSafe = (filter: FilterThis) => filter.context as SafeContext

/** Joins a list into one string. Safe HTML in the list stays safe. */
function join(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
  const budget = budgetOf(this.context)
  const list = flatList(value, budget)
  const encode = list.some(element => element instanceof Html) ? print : printRaw
  const between = encode(args.length === 0 ? ' ' : args[0], budget)
  let joined = ''
  for (const [index, element] of list.entries()) {
    const part = encode(element, budget)
    budget.use(part.length + between.length)
    joined += index === 0 ? part : between + part
  }
  return encode === print ? new Html(joined) : joined
}

function concat(this: FilterThis, value: unknown, other: unknown): unknown[] {
  const budget = budgetOf(this.context)
  const added = plain(other)
  return [...flatList(value, budget), ...(Array.isArray(added) ? added : isNil(added) ? [] : [added])]
}

function map(this: FilterThis, value: unknown, property: unknown): unknown[] {
  const budget = budgetOf(this.context)
  const list = flatList(value, budget)
  const name = propertyName(property, budget) ?? ''
  budget.use(list.length)
  return list.map(element =>
    typeof element === 'string' ? undefined : propertyOf(asSafe(this), element, name),
  )
}

/**
 * Removes elements that equal an earlier element. With `property`, compares only this property of the elements. Lists
 * and objects are compared by content.
 */
function unique(this: FilterThis, value: unknown, property?: unknown): unknown[] {
  const budget = budgetOf(this.context)
  const list = flatList(value, budget)
  const name = propertyName(property, budget)
  const values = new Set<unknown>()
  const structures = new Set<string>()
  return list.filter(element => {
    const compared = plain(name === undefined ? element : propertyOf(asSafe(this), element, name))
    const key: unknown = compared instanceof Drop ? compared.valueOf() : compared
    const isStructure = typeof key === 'object' && key !== null
    const seen: Set<unknown> = isStructure ? structures : values
    const known = isStructure ? structureOf(key, budget) : key
    const isNew = !seen.has(known)
    seen.add(known)
    return isNew
  })
}

function compact(this: FilterThis, value: unknown, property?: unknown): unknown[] {
  const budget = budgetOf(this.context)
  const name = propertyName(property, budget)
  return flatList(value, budget).filter(element => {
    return !isNil(name === undefined ? element : propertyOf(asSafe(this), element, name))
  })
}

function sum(this: FilterThis, value: unknown, property?: unknown): number {
  const budget = budgetOf(this.context)
  const list = flatList(value, budget)
  const name = propertyName(property, budget)
  budget.use(list.length)
  return list.reduce<number>((total, element) => {
    const summand = numberOf(name === undefined ? element : propertyOf(asSafe(this), element, name))
    return Number.isInteger(total) && Number.isInteger(summand) ? total + summand : add(total, summand)
  }, 0)
}

/** Returns the number of elements in a list, characters in a string or keys in an object; 0 for any other value. */
function size(value: unknown): number {
  const measured = plain(value)
  if (typeof measured === 'string') return characterCount(measured)
  if (Array.isArray(measured)) return measured.length
  const isObject = typeof measured === 'object' && measured !== null && !(measured instanceof Drop)
  return isObject ? Object.keys(measured).length : 0
}

/** Returns the first element of a list, the first character of a string, or an object's first key with its value. */
function first(this: FilterThis, value: unknown): unknown {
  const list = plain(value)
  if (typeof list === 'string') return /^./su.exec(list)?.[0] ?? ''
  return firstEntry(list) ?? (filters.first as Handler).call(this, list)
}

/** Returns the last element of a list, or the last character of a string. */
function last(this: FilterThis, value: unknown): unknown {
  const list = plain(value)
  if (typeof list !== 'string') return (filters.last as Handler).call(this, list)
  return /.$/su.exec(list.slice(-2))?.[0] ?? ''
}

export const LIST_FILTERS: Liquid['filters'] = {
  join,
  concat,
  map,
  uniq: unique,
  compact,
  sum,
  size,
  first,
  last,
}
