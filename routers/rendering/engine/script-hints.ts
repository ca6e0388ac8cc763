import { Script } from 'node:vm'
import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'
import type { PageReview } from '../../api/renderer.ts'
import { positionIn } from './position.ts'
import { isJsonScript, isModule, isProgram } from './script-types.ts'

/** Number of characters of a document that are searched for scripts. */
const SEARCHED = 1_048_576

/** Maximum number of hints for one page. */
const MAX_HINTS = 5

/** Maximum length of an excerpt, in characters. */
const EXCERPT_LIMIT = 80

/** Elements whose content is text, not markup. */
const TEXT_ELEMENTS: ReadonlyMap<string, Tokenizer['state']> = new Map([
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['style', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
])

/** A body in which the source of a script is looked for. */
export interface SourceBody {
  html: string
  where: PageReview['hints'][number]['where']
}

interface Problem {
  message: string
  /** The line of the script with the problem, if known. */
  line: string
}

/**
 * Finds scripts of a rendered document that do not parse: JavaScript, and blocks of JSON. Scripts of other types are
 * not checked.
 *
 * @param bodies the page, and the parts that it includes; a hint is placed where the line with the problem is written
 */
export function scriptHints(document: string, bodies: readonly SourceBody[]): PageReview['hints'] {
  const reader = new ScriptReader()
  reader.tokenizer.write(document.slice(0, SEARCHED), true)
  const hints: PageReview['hints'] = []
  for (const { type, text } of reader.scripts) {
    const problem = hints.length < MAX_HINTS ? problemIn(type, text) : undefined
    if (!problem) continue
    const isEscaped = /&(?:#34|#39|quot|amp|lt|gt);/.test(problem.line)
    const advice = isEscaped
      ? ' Values are escaped for HTML: in a script, print them with “| json | raw”.'
      : ''
    const message = `${problem.message}${advice}`
    hints.push({ message, nearest: null, written: null, ...placeOf(problem.line, bodies) })
  }
  return hints
}

class ScriptReader implements TokenHandler {
  readonly tokenizer: Tokenizer = new Tokenizer({}, this)
  readonly scripts: { type: string; text: string }[] = []
  private open: { type: string; text: string } | undefined

  onStartTag({ tagName, attrs }: Token.TagToken): void {
    const mode = TEXT_ELEMENTS.get(tagName)
    if (mode === undefined) return
    this.tokenizer.state = mode
    this.tokenizer.lastStartTagName = tagName
    const attribute = (name: string) => attrs.find(attr => attr.name === name)?.value
    if (tagName === 'script' && attribute('src') === undefined)
      this.open = { type: (attribute('type') ?? '').trim().toLowerCase(), text: '' }
  }

  /** Only a script that is closed is complete. */
  onEndTag(): void {
    if (this.open) this.scripts.push(this.open)
    this.open = undefined
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.open) this.open.text += chars
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token)
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
}

/** Compiles a script without running it. Throws a `SyntaxError` if it is not valid. */
const compile = (source: string): Script => new Script(source, { filename: 'script' })

function problemIn(type: string, text: string): Problem | undefined {
  if (isJsonScript(type)) return jsonProblem(text)
  if (!isProgram(type)) return undefined
  // Modules may use `await` outside of functions.
  const source = isModule(type) ? withoutImports(text) : text
  if (source === undefined) return undefined
  try {
    compile(isModule(type) ? `(async()=>{'use strict';${source}\n})` : source)
    return undefined
  } catch (error) {
    return error instanceof SyntaxError ? programProblem(error, source) : undefined
  }
}

/** The line and the message of a syntax error; the stack begins with `script:<line>`. */
function programProblem({ stack = '', message }: SyntaxError, source: string): Problem {
  const number = Number(/^script:(\d+)/.exec(stack)?.[1] ?? 1)
  const line = source.split('\n')[number - 1] ?? ''
  return {
    message: `A script of this page does not run, because its JavaScript is not valid: ${message}, in its line ${number}: “${clip(line)}”.`,
    line,
  }
}

function jsonProblem(text: string): Problem | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const [, at] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? []
    const before = text.slice(0, at === undefined ? text.length : Number(at))
    const line = text.split('\n')[before.split('\n').length - 1] ?? ''
    return { message: `A script element of this page is not valid JSON: “${clip(line)}”.`, line }
  }
}

/** Statements that only a module can contain, on one line each. */
const IMPORT = /^([\t ]*)import\b(?:[^;'"()\n]*\bfrom\b)?[\t ]*(?:"[^"\n]*"|'[^'\n]*')[\t ]*;?[\t ]*$/gm
const EXPORT = /^([\t ]*)export[\t ]+(?=(?:const|let|var|function|class|async)\b)/gm

/** A module without its imports and exports, or undefined if it has others than these simple ones. */
function withoutImports(text: string): string | undefined {
  const source = text.replace(IMPORT, '$1').replace(EXPORT, '$1')
  return /^[\t ]*(?:import\b(?!\s*[(.])|export\b)/m.test(source) || /\bimport\s*\.\s*meta\b/.test(source)
    ? undefined
    : source
}

function clip(line: string): string {
  const text = line.trim()
  return text.length <= EXCERPT_LIMIT ? text : `${text.slice(0, EXCERPT_LIMIT).toWellFormed()}…`
}

/** Where a line is written literally; otherwise where a body has its only script, or the beginning of the page. */
function placeOf(
  line: string,
  bodies: readonly SourceBody[],
): Pick<PageReview['hints'][number], 'line' | 'column' | 'where'> {
  const text = line.trim()
  const [page] = bodies
  for (const wanted of [text, '<script']) {
    if (wanted === '') continue
    const places = bodies.filter(({ html }) => html.includes(wanted))
    const [body] = places
    if (places.length !== 1 || !body) continue
    return { ...positionIn(body.html, body.html.indexOf(wanted)), where: body.where }
  }
  return { line: 1, column: 1, where: page!.where }
}
