import {
  CaptureTag,
  type Context,
  Drop,
  type Emitter,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  TokenKind,
  type TopLevelToken,
  toValueSync,
  Value,
} from 'liquidjs'
import { budgetOf } from './context.ts'
import { BudgetEmitter } from './emitter.ts'
import { Html, print, printRaw } from './html.ts'
import { renderTemplates } from './renderer.ts'

/** Takes tokens up to and without `{% end %}`. Throws when there is none. */
function* until(end: string, opening: TagToken, remaining: TopLevelToken[]): Generator<TopLevelToken> {
  for (let token = remaining.shift(); token; token = remaining.shift()) {
    if (token.kind === TokenKind.Tag && (token as TagToken).name === end) return
    yield token
  }
  throw new Error(`tag ${opening.getText()} not closed`)
}

/** `{% capture name %}`: what it holds is output already and prints as it is. */
class Capture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const html = yield renderTemplates(this.templates, context)
    context.bottom()[this.variable] = new Html(html)
  }
}

type BlockRender = (parent: BlockDrop, emitter: Emitter) => void

/** What `block` is inside a block: its `super` is the layout's own content of that block. */
class BlockDrop extends Drop {
  private readonly renderParent: ((emitter: Emitter) => void) | undefined
  private readonly context: Context

  constructor(context: Context, renderParent?: (emitter: Emitter) => void) {
    super()
    this.context = context
    this.renderParent = renderParent
  }

  super(): Html {
    const emitter = new BudgetEmitter(budgetOf(this.context))
    this.renderParent?.(emitter)
    return new Html(emitter.buffer)
  }
}

/** As liquidjs numbers it: a block inside `layout` is stored and not printed. */
const STORE = 1

/** `{% block name %}`: a place in a layout, and what a page puts there. */
class Block extends Tag {
  private readonly key: string
  private readonly templates: Template[] = []

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid)
    const [name = ''] = /[\w-]+/.exec(token.args) ?? []
    // The prefix keeps names such as __proto__ off the plain object that liquidjs collects blocks in.
    // The block without a name has the key that the layout tag uses for a page's whole content.
    this.key = name === '' ? '' : `$${name}`
    for (const inner of until('endblock', token, remaining)) {
      this.templates.push(parser.parseToken(inner, remaining))
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

  private renderIn(context: Context): BlockRender {
    const stored = context.getRegister<Record<string, BlockRender>>('blocks', {})[this.key]
    const renderOwn: BlockRender = (parent, emitter) => {
      const open = context.getRegister<Block[]>('blockStack', [])
      if (open.includes(this)) throw new Error('block tag cannot be nested')
      open.push(this)
      context.push(Object.assign(Object.create(null), { block: parent }))
      renderTemplates(this.templates, context, emitter)
      context.pop()
      open.pop()
    }
    if (!stored) return renderOwn
    return (parent, emitter) => stored(new BlockDrop(context, into => renderOwn(parent, into)), emitter)
  }
}

/** `{% doc %}`: says something to people, prints nothing. */
class Doc extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid)
    for (const _ of until('enddoc', token, remaining)) {
      // dropped
    }
  }

  override render(): void {}
}

/** `{% ifchanged %}`: prints its content unless it is the same as the last time. */
class IfChanged extends Tag {
  private readonly templates: Template[] = []

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid)
    for (const inner of until('endifchanged', token, remaining)) {
      this.templates.push(parser.parseToken(inner, remaining))
    }
  }

  override render(context: Context, emitter: Emitter): void {
    const content = renderTemplates(this.templates, context)
    if (context.getRegister<string | undefined>('ifchanged') === content) return
    context.setRegister('ifchanged', content)
    emitter.write(content)
  }
}

/** `{% # … %}`: every line starts with `#`. liquidjs's own check takes quadratic time over blank lines. */
class InlineComment extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid)
    for (const line of token.args.split('\n').slice(1)) {
      const text = line.trimStart()
      if (text !== '' && !text.startsWith('#')) {
        throw new Error("every line of an inline comment must start with a '#' character")
      }
    }
  }

  override render(): void {}
}

/** `{% echo … %}`: an output written as a tag. */
class Echo extends Tag {
  private readonly value: Value | undefined

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid)
    this.tokenizer.skipBlank()
    if (!this.tokenizer.end()) this.value = new Value(this.tokenizer.readFilteredValue(), liquid)
  }

  override render(context: Context, emitter: Emitter): void {
    if (!this.value) return
    const value: unknown = toValueSync(this.value.value(context, false))
    const budget = budgetOf(context)
    emitter.write(this.value.filters.at(-1)?.raw ? printRaw(value, budget) : print(value, budget))
  }
}

/** Registers the tags that differ from liquidjs's own, and those it lacks. */
export function registerTags(liquid: Liquid): void {
  liquid.registerTag('capture', Capture)
  liquid.registerTag('block', Block)
  liquid.registerTag('doc', Doc)
  liquid.registerTag('ifchanged', IfChanged)
  liquid.registerTag('#', InlineComment)
  liquid.registerTag('echo', Echo)
}
