import {
  CaptureTag,
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
import { Block } from './block.ts'
import { budgetOf } from './context.ts'
import { Html, print, printRaw } from './html.ts'
import { renderTemplates } from './render.ts'
import { tokensUntil } from './tokens-until.ts'

/** `{% capture name %}`: its content is printed text and is not escaped again. */
class Capture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const html = yield renderTemplates(this.templates, context)
    context.bottom()[this.variable] = new Html(html)
  }
}

/** `{% doc %}`: documentation for people; prints nothing. */
class Doc extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid)
    for (const _ of tokensUntil('enddoc', token, remaining)) {
      // ignored
    }
  }

  override render(): void {}
}

/** `{% ifchanged %}`: prints its content if it differs from the last time. */
class IfChanged extends Tag {
  private readonly templates: Template[] = []

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid)
    for (const inner of tokensUntil('endifchanged', token, remaining)) {
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

/** `{% # … %}`: every line starts with `#`. liquidjs's own check takes quadratic time on blank lines. */
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
}

/** Tags that liquidjs lacks, or that replace its own. */
export const CUSTOM_TAGS: Record<string, Parameters<Liquid['registerTag']>[1]> = {
  capture: Capture,
  block: Block,
  doc: Doc,
  ifchanged: IfChanged,
  '#': InlineComment,
  echo: Echo,
}

export function registerTags(liquid: Liquid): void {
  for (const [name, tag] of Object.entries(CUSTOM_TAGS)) liquid.registerTag(name, tag)
}
