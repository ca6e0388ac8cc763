import type { Emitter } from 'liquidjs'
import type { Budget } from './budget.ts'
import { printRaw } from './html.ts'

/** Collects output and charges every character, so that captures cannot double past the limit. */
export class BudgetEmitter implements Emitter {
  buffer = ''
  private readonly budget: Budget

  constructor(budget: Budget) {
    this.budget = budget
  }

  write(value: unknown): void {
    const text = typeof value === 'string' ? value : printRaw(value, this.budget)
    this.budget.write(text.length)
    this.buffer += text
  }
}
