import {
  IncludeTag,
  LayoutTag,
  type Liquid,
  LiquidError,
  type Output,
  ParseError,
  Parser,
  RenderTag,
  type Template,
  TokenKind,
  type TopLevelToken,
} from 'liquidjs'
import { TemplateFault } from './fault.ts'
import { type OutputToken, PlainText, PrintedOutput, type TextToken } from './output.ts'

/** How deep tags may stand in each other within one body. */
const NESTING_LIMIT = 100

/** A parsed body. */
export interface ParsedTemplate {
  templates: Template[]
  /** Names of parts written literally in `render`, `include` and `layout`, each once. */
  references: string[]
  /** Roughly the bytes of heap that the tree takes, for bounding caches. */
  weight: number
}

/** Bytes of heap, as measured: for a node, for a character in a tag or output, for a character of text. */
const NODE_WEIGHT = 250
const CODE_WEIGHT = 100
const TEXT_WEIGHT = 2

/**
 * Tokens in reverse order, so that taking the first is taking the last: an array's own `shift` moves all the others,
 * which made a body of many short outputs take seconds to parse.
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
      throw new TemplateFault(
        'syntax',
        `More than ${NESTING_LIMIT} tags stand in each other here.`,
        'Close tags earlier, or move inner pieces into parts.',
        token,
      )
    }
    try {
      // Both stand in for liquidjs's own nodes, which the declared type names.
      if (token.kind === TokenKind.HTML) return new PlainText(token as TextToken) as unknown as Output
      if (token.kind === TokenKind.Output) return this.parseOutput(token as OutputToken)
      const template = super.parseToken(token, remaining)
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

  /** Errors in an output are given their place here, as liquidjs does for its own nodes. */
  private parseOutput(token: OutputToken): Output {
    try {
      return new PrintedOutput(token, this.engine) as unknown as Output
    } catch (error) {
      if (error instanceof TemplateFault || LiquidError.is(error)) throw error
      throw new ParseError(error instanceof Error ? error : new Error(String(error)), token)
    }
  }
}

function literalName(template: Template): string | undefined {
  const includes =
    template instanceof RenderTag || template instanceof IncludeTag || template instanceof LayoutTag
  const file = includes ? (template as unknown as { file: unknown }).file : undefined
  return typeof file === 'string' ? file : undefined
}

/** `{% render 'card' for cards %}` calls each element `card` unless it says otherwise; liquidjs leaves that out. */
function nameElements(template: Template, name: string): void {
  const { forBinding } = template as unknown as { forBinding?: { alias?: string } }
  if (forBinding) forBinding.alias ??= name
}

/**
 * Parses a body.
 * @param file names the body in errors
 * Throws a LiquidError or {@link TemplateFault} where the body is not Liquid.
 */
export function parseBody(engine: Liquid, html: string, file: string): ParsedTemplate {
  const parser = new BodyParser(engine)
  const templates = parser.parse(html, file)
  const weight = parser.weight + html.length * TEXT_WEIGHT
  return { templates, references: [...parser.references], weight }
}
