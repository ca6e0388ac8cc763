import {
  type Context,
  type Emitter,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  toValueSync,
  Value,
} from 'liquidjs'
import { budgetOf } from '../context.ts'
import { print, printRaw } from '../html.ts'
import { renderTemplates } from '../render.ts'
import { Block } from './block.ts'
import { CaptureHtml } from './capture.ts'
import { Case } from './case.ts'
import { Comment, InlineComment } from './comment.ts'
import { Cycle } from './cycle.ts'
import { Include } from './include.ts'
import { TableRow } from './tablerow.ts'
import { tokensUntil } from './tokens-until.ts'

/** `{% ifchanged %}`: prints its content only if it has changed since the tag was last rendered. */
class IfChanged extends Tag {
  readonly contents: Template[] = []

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid)
    for (const inner of tokensUntil('endifchanged', token, remaining)) {
      this.contents.push(parser.parseToken(inner, remaining))
    }
  }

  override render(context: Context, emitter: Emitter): void {
    const content = renderTemplates(this.contents, context)
    if (context.getRegister<string | undefined>('ifchanged') === content) return
    context.setRegister('ifchanged', content)
    emitter.write(content)
  }
}

/** `{% echo … %}`: the tag form of an output. */
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

  /** For static analysis. */
  *arguments(): Generator<Value, void> {
    if (this.value) yield this.value
  }
}

/** Tags that liquidjs lacks, or that replace its own. */
export const CUSTOM_TAGS: Record<string, Parameters<Liquid['registerTag']>[1]> = {
  capture: CaptureHtml,
  block: Block,
  case: Case,
  comment: Comment,
  cycle: Cycle,
  doc: Comment,
  ifchanged: IfChanged,
  '#': InlineComment,
  echo: Echo,
  include: Include,
  tablerow: TableRow,
}

export function registerTags(liquid: Liquid): void {
  for (const [name, tag] of Object.entries(CUSTOM_TAGS)) liquid.registerTag(name, tag)
}
