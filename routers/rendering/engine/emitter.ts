import type { Emitter } from 'liquidjs'
import { FlatText } from '../flat-text.ts'
import type { Budget } from './budget.ts'
import { printRaw } from './html.ts'

/** Collects output and charges every character to the budget, so that repeated captures cannot grow past the limit. */
export class BudgetEmitter implements Emitter {
  private readonly text = new FlatText()
  private readonly budget: Budget

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
