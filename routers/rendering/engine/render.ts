import {
  AssignTag,
  type Context,
  type Emitter,
  LiquidError,
  type Template,
  type Token,
  toValueSync,
} from 'liquidjs'
import { budgetOf } from './context.ts'
import { emitterFor } from './emitter.ts'
import { TemplateFailure, ValueError } from './failure.ts'
import { progress } from './progress.ts'

/**
 * Renders templates in order into `emitter` (by default a new one) and returns the content of the emitter. Used instead
 * of the loop of liquidjs. This function is synchronous, and a budget limits its depth and output. Throws a
 * {@link TemplateFailure}, {@link RenderError} or LiquidError with a position.
 */
export function renderTemplates(templates: Template[], context: Context, emitter?: Emitter): string {
  const budget = budgetOf(context)
  const output = emitter ?? emitterFor(budget)
  budget.enter()
  for (const template of templates) {
    progress.token = template.token
    try {
      const html: unknown = toValueSync(template.render(context, output))
      if (html) output.write(html)
    } catch (error) {
      if (!(error instanceof ValueError)) throw withPosition(error, template.token)
      budget.note(template.token, error.message)
      // As in Ruby, a variable that cannot be assigned stays empty, and the page shows nothing there.
      if (!(template instanceof AssignTag)) output.write(`Liquid error: ${error.message}`)
    }
    if (context.breakCalled || context.continueCalled) break
  }
  budget.leave()
  if (!emitter) budget.trace?.keep(output)
  return output.buffer
}

function withPosition(error: unknown, token: Token | undefined): unknown {
  if (error instanceof TemplateFailure) {
    error.token ??= token
    return error
  }
  if (error instanceof RenderError) return error
  if (!LiquidError.is(error)) return new RenderError(error, token)
  // An error can come from reading a variable, or from an expression in a string. The position in such an error is
  // useless, so the error gets the position of the tag or output. Only a syntax error in a part keeps its own position.
  const isPartError =
    (error.name === 'ParseError' || error.name === 'TokenizationError') && error.token.file !== undefined
  return isPartError
    ? error
    : withPosition(error.originalError ?? new Error(messageWithoutPosition(error)), token)
}

/** The message of a liquidjs error without the position that liquidjs appends. */
export function messageWithoutPosition(error: Error): string {
  return error.message.replace(/(?:, file:.*)?, line:\d+, col:\d+$/s, '')
}

/** An error thrown during rendering, with the tag or output that threw it. */
export class RenderError extends Error {
  readonly token: Token | undefined

  constructor(error: unknown, token: Token | undefined) {
    super(error instanceof Error ? error.message : String(error), { cause: error })
    this.name = 'RenderError'
    this.token = token
  }
}
