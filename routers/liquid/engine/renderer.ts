import { type Context, type Emitter, LiquidError, type Template, type Token, toValueSync } from 'liquidjs'
import { budgetOf } from './context.ts'
import { BudgetEmitter } from './emitter.ts'
import { TemplateFault } from './fault.ts'

/** What is being rendered at this moment, so that a template that is cut off can be told where. */
export const progress: { token: Token | undefined } = { token: undefined }

/**
 * Renders templates one after the other into `emitter` (a new one if none is given) and returns what it holds.
 * It takes the place of liquidjs's own loop: at once instead of step by step, which our synchronous use allows,
 * and with a budget for time, depth and output.
 * Throws a LiquidError or {@link TemplateFault} that knows its place.
 */
export function renderTemplates(templates: Template[], context: Context, emitter?: Emitter): string {
  const budget = budgetOf(context)
  const output = emitter ?? new BudgetEmitter(budget)
  let current: Template | undefined
  budget.enter()
  try {
    for (const template of templates) {
      current = template
      progress.token = template.token
      const html: unknown = toValueSync(template.render(context, output))
      if (html) output.write(html)
      if (context.breakCalled || context.continueCalled) break
    }
  } catch (error) {
    throw located(error, current?.token)
  }
  budget.leave()
  return output.buffer
}

function located(error: unknown, token: Token | undefined): unknown {
  if (error instanceof TemplateFault) {
    error.token ??= token
    return error
  }
  if (error instanceof Wrapped) return error
  if (!LiquidError.is(error)) return new Wrapped(error, token)
  // A part that does not parse knows its own place; an expression in a string, or a lookup, has none worth showing.
  const ofBody =
    (error.name === 'ParseError' || error.name === 'TokenizationError') && error.token.file !== undefined
  return ofBody ? error : located(error.originalError ?? new Error(bareMessage(error)), token)
}

/** The message of an error of liquidjs without the place it appends. */
export function bareMessage(error: Error): string {
  return error.message.replace(/(?:, file:.*)?, line:\d+, col:\d+$/s, '')
}

/** An error that was thrown while rendering, with the tag or output that threw it. */
export class Wrapped extends Error {
  readonly token: Token | undefined

  constructor(error: unknown, token: Token | undefined) {
    super(error instanceof Error ? error.message : String(error), { cause: error })
    this.name = 'Wrapped'
    this.token = token
  }
}
