import {
  type Context,
  type Emitter,
  type Liquid,
  type Template,
  Tokenizer,
  type TopLevelToken,
  toValueSync,
  Value,
} from 'liquidjs'
import { budgetOf, type SafeContext } from './context.ts'
import { print, printRaw } from './html.ts'

/** The members of an output token that are used here. */
export type OutputToken = TopLevelToken & { contentRange: [number, number]; content: string }

/** The members of a text token that are used here. */
export type TextToken = TopLevelToken & { getContent(): string }

/** Matches a plain path of names, but no keywords of the language. */
const PATH =
  /^(?!(?:true|false|nil|null|empty|blank|not|and|or|contains)\b(?!-))[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/

/** Maximum length of an output that is checked for being a plain path. */
const PATH_LIMIT = 200

/**
 * `{{ … }}`: prints a value, escaped unless its last filter is `raw`. Most outputs are plain paths; they skip
 * liquidjs's expression tree, which makes large bodies faster to parse and smaller in memory.
 */
export class PrintedOutput implements Template {
  readonly token: OutputToken
  /** The names that the output reads, if it is a plain path. */
  readonly path: readonly string[] | undefined
  private readonly value: Value | undefined
  private readonly raw: boolean

  constructor(token: OutputToken, liquid: Liquid) {
    this.token = token
    const [begin, end] = token.contentRange
    const content = end - begin <= PATH_LIMIT ? token.content : ''
    this.raw = false
    if (PATH.test(content)) {
      this.path = content.split('.')
      return
    }
    const tokenizer = new Tokenizer(token.input, liquid.options.operators, token.file, token.contentRange)
    this.value = new Value(tokenizer.readFilteredValue(), liquid)
    this.raw = this.value.filters.at(-1)?.raw === true
  }

  /** Where the path begins in the body. */
  get pathBegin(): number {
    return this.token.contentRange[0]
  }

  /** For static analysis. */
  *arguments(): Generator<Value, void> {
    if (this.value) yield this.value
  }

  render(context: Context, emitter: Emitter): void {
    const value: unknown = this.path
      ? (context as SafeContext).lookup(this.path)
      : toValueSync(this.value!.value(context, false))
    const budget = budgetOf(context)
    emitter.write(this.raw ? printRaw(value, budget) : print(value, budget))
  }
}

/** Text between tags and outputs, written unchanged. */
export class PlainText implements Template {
  readonly token: TextToken
  private readonly text: string

  constructor(token: TextToken) {
    this.token = token
    this.text = token.getContent()
  }

  /** Whether the text is only white space. */
  get isBlank(): boolean {
    return !/\S/.test(this.text)
  }

  render(_context: Context, emitter: Emitter): void {
    emitter.write(this.text)
  }
}
