import { type Context, type Emitter, evalToken, RenderTag } from 'liquidjs'
import { budgetOf } from '../context.ts'
import { plain, printRaw } from '../html.ts'
import { type Including, includingOf, partOf } from '../liquidjs.ts'
import { renderTemplates } from '../render.ts'
import { elementsOf } from './elements.ts'

/**
 * `{% include "part" %}`: renders a part that sees all variables. `with x` or `with x as y` passes a value, `for xs` or
 * `for xs as x` renders the part for each element.
 */
export class Include extends RenderTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { file, currentFile, hash, with: single, forBinding: each } = includingOf(this)
    const name = yield* nameOf(file, context)
    if (name === '') throw new Error(`illegal file path "${name}"`)
    const saved = context.saveRegister('blocks', 'blockMode')
    context.setRegister('blocks', {})
    context.setRegister('blockMode', 0)
    const scope: Record<string, unknown> = Object.assign(Object.create(null), yield hash.render(context))
    const { alias = name, value } = each ?? single ?? {}
    const bound: unknown = value && (yield evalToken(value, context))
    if (value) scope[alias] = bound
    const templates = partOf(this.liquid, name, currentFile)
    context.push(scope)
    for (const element of each ? elementsOf(bound) : [bound]) {
      if (value) scope[alias] = element
      renderTemplates(templates, context, emitter)
    }
    context.pop()
    context.restoreRegister(saved)
  }
}

function* nameOf(file: Including['file'], context: Context): Generator<unknown, string> {
  if (typeof file === 'string') return file
  if (Array.isArray(file)) return renderTemplates(file, context)
  return printRaw(plain(yield evalToken(file, context)), budgetOf(context))
}
