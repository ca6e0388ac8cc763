import { Context, Drop, toValueSync } from 'liquidjs'
import type { Budget } from './budget.ts'
import { scopesOf } from './liquidjs.ts'

type Limiter = Context['memoryLimit']
type Scope = Parameters<Context['readProperty']>[0]
type Key = Parameters<Context['readProperty']>[1]

/** The fields of loops, blocks and captured text that templates may read; the rest is internal. */
const DROP_FIELDS = new Set<unknown>([
  'index',
  'index0',
  'first',
  'last',
  'length',
  'name',
  'rindex',
  'rindex0',
  'parentloop',
  'row',
  'col',
  'col0',
  'col_first',
  'col_last',
  'super',
  'size',
])

/**
 * The context of an evaluation: its variables and its budget. Templates cannot reach JavaScript prototypes through this
 * context.
 */
export class SafeContext extends Context {
  readonly budget: Budget

  constructor(variables: object, liquid: Context['liquid'], budget: Budget) {
    const limiter = budget as unknown as Limiter
    super(variables, liquid.options, { sync: true }, { memoryLimit: limiter, renderLimit: limiter, liquid })
    this.budget = budget
  }

  /** Creates the context of a rendered part, which sees only `scope`. */
  override spawn(scope: object = {}): SafeContext {
    return new SafeContext(scope, this.liquid, this.budget)
  }

  override readProperty(object: Scope, key: Key): unknown {
    if (object instanceof Drop) {
      if (!DROP_FIELDS.has(key)) return undefined
      if (key === 'parentloop') return this.parentLoop(object)
    }
    if (key === 'size' && typeof object === 'string') return characterCount(object)
    const value: unknown = super.readProperty(object, key)
    return value === undefined && key === 'first' ? firstEntry(object) : value
  }

  /** The value at a path of names, as `{{ a.b.c }}` reads it; undefined if there is none. */
  lookup(path: readonly string[]): unknown {
    const [first = ''] = path
    return this.read(scopesOf(this).findScope(first), path)
  }

  /** The value at a path of names inside `value`; undefined if there is none. */
  read(value: unknown, path: readonly string[]): unknown {
    let found = value
    for (const name of path) found = toValueSync(this.readProperty(found as Scope, name))
    return found
  }

  private parentLoop(loop: Scope): unknown {
    let found = false
    // The bottom scope of a part does not count. If it has a `forloop`, the loop is outside the part: a tag such as
    // {% render "card" for cards %} includes the part for each element.
    for (const scope of scopesOf(this).scopes.slice(1).toReversed()) {
      if (!Object.hasOwn(scope, 'forloop')) continue
      if (found) return scope.forloop
      found = scope.forloop === loop
    }
    return undefined
  }
}

/** The number of characters (code points) in a string. */
export function characterCount(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += text.codePointAt(index)! > 0xffff ? 2 : 1) count += 1
  return count
}

/** The first key of an object with its value; undefined for an empty object and for other values. */
export function firstEntry(object: unknown): [key: string, value: unknown] | undefined {
  if (typeof object !== 'object' || object === null || object instanceof Drop || Array.isArray(object)) return
  const [key] = Object.keys(object)
  return key === undefined ? undefined : [key, (object as Record<string, unknown>)[key]]
}

/** The budget of the evaluation that `context` belongs to. */
export function budgetOf(context: Context): Budget {
  return (context as SafeContext).budget
}

/** A context that also tells the trace of its budget which properties are read. */
export class TracedContext extends SafeContext {
  override spawn(scope: object = {}): TracedContext {
    return new TracedContext(scope, this.liquid, this.budget)
  }

  override readProperty(object: Scope, key: Key): unknown {
    const value = super.readProperty(object, key)
    this.budget.trace?.read(object, key, value)
    return value
  }
}
