import { Context, Drop, toValueSync } from 'liquidjs'
import type { Budget } from './budget.ts'

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

/** Private members of liquidjs's Context that lookups need. */
interface Lookup {
  scopes: Scope[]
  findScope(key: string): Scope
}

/** The variables of an evaluation, with prototypes unreachable, and the evaluation's budget. */
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
    return super.readProperty(object, key)
  }

  /** The value at a path of names, as `{{ a.b.c }}` reads it; undefined if there is none. */
  lookup(path: readonly string[]): unknown {
    const [first = ''] = path
    let value: unknown = (this as unknown as Lookup).findScope(first)
    for (const name of path) value = toValueSync(this.readProperty(value as Scope, name))
    return value
  }

  private parentLoop(loop: Scope): unknown {
    let found = false
    for (const scope of (this as unknown as Lookup).scopes.toReversed()) {
      if (!Object.hasOwn(scope, 'forloop')) continue
      if (found) return scope.forloop
      found = scope.forloop === loop
    }
    return undefined
  }
}

/** The budget of the evaluation that `context` belongs to. */
export function budgetOf(context: Context): Budget {
  return (context as SafeContext).budget
}
