import {
  type Context,
  CycleTag,
  type Emitter,
  evalToken,
  type Liquid,
  type TagToken,
  type TopLevelToken,
  Value,
} from 'liquidjs'
import { budgetOf } from '../context.ts'
import { print, printRaw } from '../html.ts'
import { cycleOf } from '../liquidjs.ts'

/** Units charged once per cycle for remembering its next value, in addition to the length of its key. */
const ENTRY_CHARGE = 16

/**
 * `{% cycle "a", "b" %}`: prints its values in turn. Cycles with the same name share their position; so do cycles
 * without a name but with the same values.
 */
export class Cycle extends CycleTag {
  private readonly values: string

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid)
    this.values = token.args
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { count, group, valueAt } = cycleOf(this)
    const budget = budgetOf(context)
    const key = group ? `named ${printRaw(yield evalToken(group, context), budget)}` : this.values
    const turns = context.getRegister<Map<string, number>>('cycle', new Map())
    if (!turns.has(key)) budget.use(key.length + ENTRY_CHARGE)
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1 < count ? turn + 1 : 0)
    const candidate = valueAt(turn)
    if (!candidate) return
    const value = new Value(candidate, this.liquid)
    const printed: unknown = yield value.value(context, false)
    emitter.write(value.filters.at(-1)?.raw ? printRaw(printed, budget) : print(printed, budget))
  }
}
