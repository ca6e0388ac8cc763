import type { Emitter } from 'liquidjs'
import { FlatText } from '../flat-text.ts'
import type { Budget } from './budget.ts'
import { printRaw } from './html.ts'
import type { Piece } from './trace.ts'

/** Collects output and charges every character to the budget, so that repeated captures cannot grow past the limit. */
export class BudgetEmitter implements Emitter {
  private readonly text = new FlatText()
  protected readonly budget: Budget

  constructor(budget: Budget) {
    this.budget = budget
  }

  write(value: unknown): void {
    const text = typeof value === 'string' ? value : printRaw(value, this.budget)
    this.budget.write(text.length)
    this.text.add(text)
  }

  get buffer(): string {
    return this.text.toString()
  }
}

/** Collects output, and where each piece of it came from. */
export class TracedEmitter extends BudgetEmitter {
  readonly pieces: Piece[] = []
  private readonly trace: NonNullable<Budget['trace']>
  private length = 0

  constructor(budget: Budget, trace: NonNullable<Budget['trace']>) {
    super(budget)
    this.trace = trace
  }

  override write(value: unknown): void {
    const text = typeof value === 'string' ? value : printRaw(value, this.budget)
    super.write(text)
    this.trace.note(this.pieces, this.length, text)
    this.length += text.length
  }
}

/** Returns a new emitter for an evaluation with this budget. */
export function emitterFor(budget: Budget): BudgetEmitter {
  return budget.trace ? new TracedEmitter(budget, budget.trace) : new BudgetEmitter(budget)
}
