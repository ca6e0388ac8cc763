import {
  type Context,
  Drop,
  type Emitter,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
} from 'liquidjs'
import { budgetOf } from '../context.ts'
import { emitterFor } from '../emitter.ts'
import { Html } from '../html.ts'
import { progress } from '../progress.ts'
import { renderTemplates } from '../render.ts'
import { tokensUntil } from './tokens-until.ts'

type BlockRender = (parent: BlockDrop, emitter: Emitter) => void

/** The variable `block` inside a block: its `super` is the layout's own content for that block. */
class BlockDrop extends Drop {
  private readonly renderParent: ((emitter: Emitter) => void) | undefined
  private readonly context: Context

  constructor(context: Context, renderParent?: (emitter: Emitter) => void) {
    super()
    this.context = context
    this.renderParent = renderParent
  }

  super(): Html {
    const budget = budgetOf(this.context)
    const emitter = emitterFor(budget)
    // The output that reads this property goes on after it.
    const { token } = progress
    this.renderParent?.(emitter)
    progress.token = token
    budget.trace?.keep(emitter)
    return new Html(emitter.buffer)
  }
}

/** liquidjs's value of `blockMode` for a page with a layout: its blocks are stored, not printed. */
const STORE = 1

/** `{% block name %}`: in a layout, a placeholder with default content; in a page, the content that replaces it. */
export class Block extends Tag {
  /** Empty for a block without a name. */
  readonly blockName: string
  private readonly key: string
  readonly contents: Template[] = []

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid)
    const [name = ''] = /[\w-]+/.exec(token.args) ?? []
    this.blockName = name
    // liquidjs collects blocks in a plain object; the prefix makes names such as `__proto__` harmless. A block without
    // a name gets the key that the layout tag uses for a page's whole content.
    this.key = name === '' ? '' : `$${name}`
    for (const inner of tokensUntil('endblock', token, remaining)) {
      this.contents.push(parser.parseToken(inner, remaining))
    }
  }

  override render(context: Context, emitter: Emitter): void {
    const render = this.renderIn(context)
    if (context.getRegister('blockMode') === STORE) {
      context.getRegister<Record<string, BlockRender>>('blocks', {})[this.key] = render
    } else {
      render(new BlockDrop(context), emitter)
    }
  }

  /** For static analysis. */
  blockScope(): string[] {
    return ['block']
  }

  private renderIn(context: Context): BlockRender {
    const stored = context.getRegister<Record<string, BlockRender>>('blocks', {})[this.key]
    const renderOwn: BlockRender = (parent, emitter) => {
      const open = context.getRegister<Block[]>('blockStack', [])
      if (open.includes(this)) throw new Error('block tag cannot be nested')
      open.push(this)
      context.push(Object.assign(Object.create(null), { block: parent }))
      renderTemplates(this.contents, context, emitter)
      context.pop()
      open.pop()
    }
    if (!stored) return renderOwn
    return (parent, emitter) => stored(new BlockDrop(context, into => renderOwn(parent, into)), emitter)
  }
}
