import {
  type Context,
  Drop,
  type Emitter,
  evalToken,
  type Liquid,
  type Parser,
  TablerowTag,
  type TagToken,
  type Template,
  type TopLevelToken,
} from 'liquidjs'
import { numberOf } from '../filters/numbers.ts'
import { progress } from '../progress.ts'
import { renderTemplates } from '../render.ts'
import { elementsOf } from './elements.ts'

/** The variable `tablerowloop`. */
class Loop extends Drop {
  readonly length: number
  private readonly columns: number
  private position = 0

  constructor(length: number, columns: number) {
    super()
    this.length = length
    this.columns = columns
  }

  next(): void {
    this.position += 1
  }

  get index0() {
    return this.position
  }

  get index() {
    return this.position + 1
  }

  get rindex() {
    return this.length - this.position
  }

  get rindex0() {
    return this.length - this.position - 1
  }

  get first() {
    return this.position === 0
  }

  get last() {
    return this.position === this.length - 1
  }

  get row() {
    return this.columns > 0 ? Math.floor(this.position / this.columns) + 1 : 1
  }

  get col0() {
    return this.columns > 0 ? this.position % this.columns : this.position
  }

  get col() {
    return this.col0 + 1
  }

  get col_first() {
    return this.col0 === 0
  }

  get col_last() {
    return this.col === this.columns
  }
}

/** `{% tablerow x in xs cols: 2 %}`: a table row for every `cols` elements, with Shopify's line breaks. */
export class TableRow extends TablerowTag {
  private readonly body: readonly Template[]

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid, parser)
    this.body = this.templates
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const collection: unknown = yield evalToken(this.collection, context)
    if (collection === undefined || collection === null) return
    const given = (yield this.args.render(context)) as Record<string, unknown>
    const whole = (name: string) => (name in given ? Math.trunc(numberOf(given[name])) : undefined)
    const from = Math.max(0, whole('offset') ?? 0)
    const limit = whole('limit')
    const to = limit === undefined ? undefined : from + Math.max(0, limit)
    const elements = elementsOf(collection).slice(from, to)
    const loop = new Loop(elements.length, whole('cols') ?? elements.length)
    const scope: Record<string, unknown> = Object.assign(Object.create(null), { tablerowloop: loop })
    context.push(scope)
    emitter.write('<tr class="row1">\n')
    for (const element of elements) {
      scope[this.variable] = element
      emitter.write(`<td class="col${loop.col}">`)
      renderTemplates(this.body as Template[], context, emitter)
      progress.token = this.token
      emitter.write('</td>')
      const isBroken = context.breakCalled
      context.breakCalled = context.continueCalled = false
      if (isBroken) break
      if (loop.col_last && !loop.last) emitter.write(`</tr>\n<tr class="row${loop.row + 1}">`)
      loop.next()
    }
    emitter.write('</tr>\n')
    context.pop()
  }
}
