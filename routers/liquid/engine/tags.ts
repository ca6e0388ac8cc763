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
import { renderTemplates } from './renderer.ts'
import { tokensUntil } from './tokens-until.ts'

/** `{% capture name %}`: what it holds is output already and prints as it is. */
class Capture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const html = yield renderTemplates(this.templates, context)
    context.bottom()[this.variable] = new Html(html)
  }
}

/** `{% doc %}`: says something to people, prints nothing. */
class Doc extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid)
    for (const _ of tokensUntil('enddoc', token, remaining)) {
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

/** The tags that differ from liquidjs's own, and those it lacks. */
export const OWN_TAGS: Record<string, Parameters<Liquid['registerTag']>[1]> = {
  capture: Capture,
  block: Block,
  doc: Doc,
  ifchanged: IfChanged,
  '#': InlineComment,
  echo: Echo,
}

export function registerTags(liquid: Liquid): void {
  for (const [name, tag] of Object.entries(OWN_TAGS)) liquid.registerTag(name, tag)
}
