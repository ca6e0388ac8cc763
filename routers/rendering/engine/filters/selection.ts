import { type FilterImplOptions, isTruthy, type Liquid, toValueSync } from 'liquidjs'
import { budgetOf, type SafeContext } from '../context.ts'
import { isNil, plain } from '../html.ts'
import { flatList, propertyName, propertyOf } from './lists.ts'

type Handler = Exclude<FilterImplOptions, { raw: boolean }>
type FilterThis = ThisParameterType<Handler>

/**
 * Returns a list, and a function that tells whether an element of the list matches. With a `target`, an element matches
 * if its property equals `target`. Without a `target`, an element matches if its property is truthy.
 */
function selection(filter: FilterThis, value: unknown, property: unknown, target: unknown) {
  const context = filter.context as SafeContext
  const budget = budgetOf(context)
  const list = flatList(value, budget)
  const name = propertyName(property, budget)
  const wanted = plain(target)
  const isWanted = isNil(wanted)
    ? (found: unknown) => isTruthy(found, context)
    : (found: unknown) => found === wanted || areSameText(found, wanted) || areEqual(context, found, wanted)
  budget.use(list.length)
  const matches = (element: unknown) =>
    name !== undefined && isWanted(plain(propertyOf(context, element, name)))
  return { list, matches }
}

/** Compares two values as the operator `==` does. */
function areEqual(context: SafeContext, left: unknown, right: unknown): boolean {
  return toValueSync(context.opts.operators['==']!(left, right, context)) as boolean
}

/**
 * Whether two texts are equal, even if one has letters with accents as one character and the other as two. Programs for
 * macOS write the names of files in the second form, and people write templates in the first one.
 */
const areSameText = (left: unknown, right: unknown): boolean =>
  typeof left === 'string' && typeof right === 'string' && left.normalize() === right.normalize()

/** Filters that select elements of a list by a property, as in Shopify. */
export const SELECTION_FILTERS: Liquid['filters'] = {
  where(value: unknown, property: unknown, target: unknown) {
    const { list, matches } = selection(this, value, property, target)
    return list.filter(matches)
  },
  reject(value: unknown, property: unknown, target: unknown) {
    const { list, matches } = selection(this, value, property, target)
    return list.filter(element => !matches(element))
  },
  find(value: unknown, property: unknown, target: unknown) {
    const { list, matches } = selection(this, value, property, target)
    return list.find(matches)
  },
  find_index(value: unknown, property: unknown, target: unknown) {
    const { list, matches } = selection(this, value, property, target)
    const index = list.findIndex(matches)
    return index === -1 ? undefined : index
  },
  has(value: unknown, property: unknown, target: unknown) {
    const { list, matches } = selection(this, value, property, target)
    return list.some(matches)
  },
}
