import {
  IncludeTag,
  LayoutTag,
  type Liquid,
  LiquidError,
  type Output,
  ParseError,
  Parser,
  RenderTag,
  type TagToken,
  type Template,
  TokenKind,
  type TopLevelToken,
} from 'liquidjs'
import type { TemplateHint } from '../../api/renderer.ts'
import { dropBlankText } from './blank-blocks.ts'
import { TemplateFailure } from './failure.ts'
import { includingOf } from './liquidjs.ts'
import { requireClosedBefore } from './open-tags.ts'
import { type OutputToken, PlainText, PrintedOutput, type TextToken } from './output.ts'
import { withHints } from './tokenizer.ts'

/** Maximum nesting depth of tags within one body. */
const NESTING_LIMIT = 100

/** A parsed body. */
export interface ParsedTemplate {
  templates: Template[]
  /** Names of parts written literally in `render`, `include` and `layout`, each once. */
  references: string[]
  /** Hints about the body's filters. */
  hints: TemplateHint[]
  /** Estimated heap size in bytes, for limiting caches. */
  weight: number
}

/** Measured heap size of a node, in bytes. */
const NODE_WEIGHT = 250
/** Measured heap size of a character in a tag or output, in bytes. */
const CODE_WEIGHT = 100
/** Measured heap size of a character of text, in bytes. */
const TEXT_WEIGHT = 2

/**
 * Tokens in reverse order, so that `shift` takes constant time. An array's own `shift` moves all other elements; with
 * it, a body of many short outputs took seconds to parse.
 */
class TokenQueue extends Array<TopLevelToken> {
  override shift(): TopLevelToken | undefined {
    return this.pop()
  }
}

function queueOf(tokens: TopLevelToken[]): TokenQueue {
  if (tokens instanceof TokenQueue) return tokens
  const queue = new TokenQueue()
  for (let index = tokens.length - 1; index >= 0; index -= 1) queue.push(tokens[index]!)
  return queue
}

class BodyParser extends Parser {
  readonly references = new Set<string>()
  weight = 0
  private depth = 0
  /** The tags around the token that is being parsed, from the outermost inwards. */
  private open: TagToken[] = []
  private readonly engine: Liquid

  constructor(engine: Liquid) {
    super(engine)
    this.engine = engine
  }

  override parseTokens(tokens: TopLevelToken[]): Template[] {
    return super.parseTokens(queueOf(tokens))
  }

  override parseToken(token: TopLevelToken, remaining: TopLevelToken[]): ReturnType<Parser['parseToken']> {
    this.weight += NODE_WEIGHT
    if (token.kind !== TokenKind.HTML) this.weight += (token.end - token.begin) * CODE_WEIGHT
    this.depth += 1
    if (this.depth > NESTING_LIMIT) {
      throw new TemplateFailure(
        'syntax',
        `Tags are nested more than ${NESTING_LIMIT} levels deep here.`,
        'Check that every tag is closed, or move inner tags into a part.',
        token,
      )
    }
    try {
      // `PlainText` and `PrintedOutput` replace liquidjs's own nodes. The return type names those nodes, hence the casts.
      if (token.kind === TokenKind.HTML) return new PlainText(token as TextToken) as unknown as Output
      if (token.kind === TokenKind.Output) return this.parseOutput(token as OutputToken)
      const template = this.parseTag(token as TagToken, remaining)
      dropBlankText(template)
      const name = literalName(template)
      if (name !== undefined) {
        this.references.add(name)
        nameElements(template, name)
      }
      return template
    } finally {
      this.depth -= 1
    }
  }

  private parseTag(token: TagToken, remaining: TopLevelToken[]): ReturnType<Parser['parseToken']> {
    requireClosedBefore(token, this.open)
    const around = this.open
    // Tags inside `{% liquid %}` cannot close tags outside it.
    this.open = token.name === 'liquid' ? [] : [...around, token]
    try {
      return super.parseToken(token, remaining)
    } finally {
      this.open = around
    }
  }

  /** Adds the position to errors in an output, as liquidjs does for its own nodes. */
  private parseOutput(token: OutputToken): Output {
    try {
      return new PrintedOutput(token, this.engine) as unknown as Output
    } catch (error) {
      if (error instanceof TemplateFailure || LiquidError.is(error)) throw error
      throw new ParseError(error instanceof Error ? error : new Error(String(error)), token)
    }
  }
}

function literalName(template: Template): string | undefined {
  const includes =
    template instanceof RenderTag || template instanceof IncludeTag || template instanceof LayoutTag
  const file = includes ? includingOf(template).file : undefined
  return typeof file === 'string' ? file : undefined
}

/** In `{% render 'card' for cards %}`, makes `card` the default name of each element. liquidjs has no such default. */
function nameElements(template: Template, name: string): void {
  const { forBinding } = includingOf(template)
  if (forBinding) forBinding.alias ??= name
}

/**
 * Parses a body.
 * @param file the body's name in errors
 * @throws a LiquidError or {@link TemplateFailure} if the body is not valid Liquid
 */
export function parseBody(engine: Liquid, html: string, file: string): ParsedTemplate {
  const parser = new BodyParser(engine)
  const { result: templates, hints } = withHints(html, () => parser.parse(html, file))
  const weight = NODE_WEIGHT + parser.weight + html.length * TEXT_WEIGHT
  return { templates, references: [...parser.references], hints, weight }
}
