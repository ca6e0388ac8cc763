import { LiquidError, type Token, tags } from 'liquidjs'
import type { PageReview, TemplateError } from '../../api/renderer.ts'
import { evaluationTimeout, tooDeep } from './budget.ts'
import { type FailureKind, TemplateFailure } from './failure.ts'
import { TimeoutError } from './guard.ts'
import { ownersText } from './open-tags.ts'
import { positionIn } from './position.ts'
import { messageWithoutPosition, RenderError } from './render.ts'
import { closestTo } from './suggest.ts'
import { CUSTOM_TAGS } from './tags/custom.ts'

/** Maximum length of a displayed message, and of a displayed source line around the error, in characters. */
const MESSAGE_LIMIT = 300
const EXCERPT_LIMIT = 160

/**
 * The file name of every page while it is parsed. A syntax tree contains this name, so different names would keep two
 * pages with the same text from sharing a tree.
 */
export const PAGE_FILE = 'page'
const PART_PREFIX = 'part:'

export function partFile(name: string): string {
  return PART_PREFIX + name
}

/**
 * Explains to the author of a page any error that was thrown while the page was parsed or rendered.
 * @param slug the page's slug
 * @param token the tag or output that was being rendered, for errors without a position
 */
export function explain(error: unknown, slug: string, token: Token | undefined): TemplateError {
  const { kind, message, readersMessage, advice, correction } = describe(error)
  const at = tokenOf(error) ?? token
  const where = whereIs(at?.file, slug)
  const position = at && at.file !== undefined ? positionOf(at) : { line: null, column: null, excerpt: null }
  const isInSource = kind === 'syntax' || (kind === 'missing_part' && at !== undefined && namesLiteral(at))
  return {
    kind,
    isInSource,
    message: clip(message, MESSAGE_LIMIT),
    ...(readersMessage === undefined ? {} : { readersMessage }),
    advice,
    ...(correction && isInSource ? { correction } : {}),
    where,
    ...position,
  }
}

/** The body that a file name stands for; the page with this slug if there is no file name. */
/** The page or part that a token's file stands for. */
export function whereIs(file: string | undefined, slug: string): TemplateError['where'] {
  return file?.startsWith(PART_PREFIX)
    ? { body: 'part', name: file.slice(PART_PREFIX.length) }
    : { body: 'page', name: slug }
}

/** The hints for tags and outputs that show an error in their place. */
export function valueErrorHints(errors: ReadonlyMap<Token, string>, slug: string): PageReview['hints'] {
  return [...errors].map(([token, message]) => ({
    message: `${isAssign(token) ? `This variable stays empty (${message})` : `The page shows “Liquid error: ${message}” here`}. Check the value: missing values and text without a number count as 0.`,
    nearest: null,
    written: null,
    ...positionIn(token.input, token.begin),
    where: whereIs(token.file, slug),
  }))
}

const isAssign = ({ input, begin }: Token) => /^(?:\{%-?\s*)?assign\b/.test(input.slice(begin, begin + 100))

/** Whether a tag writes the name of the included part in quotes, instead of using a variable. */
function namesLiteral({ input, begin, end }: Token): boolean {
  return /^\{%-?\s*\w+\s*["']/.test(input.slice(begin, end))
}

function tokenOf(error: unknown): Token | undefined {
  if (error instanceof TemplateFailure || error instanceof RenderError) return error.token
  return LiquidError.is(error) && error.token.file !== undefined ? error.token : undefined
}

interface Description {
  kind: FailureKind
  message: string
  readersMessage?: string
  advice: string
  correction?: { written: string; nearest: string }
}

function describe(error: unknown): Description {
  if (error instanceof TemplateFailure) return error
  if (error instanceof TimeoutError) return evaluationTimeout()
  const cause: unknown =
    error instanceof RenderError ? error.cause : LiquidError.is(error) ? error.originalError : error
  if (cause instanceof TemplateFailure) return cause
  if (cause instanceof RangeError) return describeRangeError(cause)
  if (LiquidError.is(error)) return describeSyntax(messageWithoutPosition(error))
  return describeRendering(error instanceof Error ? error.message : String(error))
}

function describeRangeError({ message }: RangeError): Description {
  if (/call stack/.test(message)) return tooDeep()
  if (!/\blength\b/.test(message)) return describeRendering(message)
  return {
    kind: 'too_large',
    message: 'A text or list gets too long here.',
    advice: 'Work on shorter lists and texts, and check that no text is appended to itself inside a loop.',
  }
}

function describeSyntax(message: string): Description {
  const [, unknownTag] = /^tag "(.*)" not found$/.exec(message) ?? []
  if (unknownTag !== undefined) return describeUnknownTag(unknownTag)
  const [, what, text] = /^(tag|output) (.*) not closed$/s.exec(message) ?? []
  if (what !== undefined && text !== undefined) return describeUnclosed(what, text)
  return {
    kind: 'syntax',
    message: `This is not valid Liquid: ${message}.`,
    readersMessage: 'This is not valid Liquid.',
    advice:
      'Check the quotes, colons and commas here. To print double braces as text, put them between {% raw %} and {% endraw %}.',
  }
}

function describeUnknownTag(name: string): Description {
  const known = Object.keys({ ...tags, ...CUSTOM_TAGS })
  const isMisspelledEnd = name.startsWith('end') && !known.includes(name.slice(3))
  const opening = isMisspelledEnd ? undefined : ownersText(name)
  if (opening === undefined) {
    const nearest = closestTo(name, isMisspelledEnd ? known.map(tag => `end${tag}`) : known)
    const spelling = nearest === undefined ? 'Check its spelling.' : `Did you mean {% ${nearest} %}?`
    return {
      kind: 'syntax',
      message: `Unknown tag “${name}”.`,
      advice: `${spelling} To print it as text, put it between {% raw %} and {% endraw %}.`,
      ...(nearest === undefined ? {} : { correction: { written: name, nearest } }),
    }
  }
  return {
    kind: 'syntax',
    message: `{% ${name} %} has no matching opening tag.`,
    advice: `Remove it, or add ${opening} before it. Close tags in the reverse order in which you opened them.`,
  }
}

function describeUnclosed(what: string, text: string): Description {
  const [, tag = ''] = /^"?\{%-?\s*(\w+)/.exec(text) ?? []
  if (what === 'output') {
    return { kind: 'syntax', message: 'The output {{ is never closed.', advice: 'Close it with }}.' }
  }
  if (text.startsWith('"')) {
    return { kind: 'syntax', message: `The tag {% ${tag} is never closed.`, advice: 'Close it with %}.' }
  }
  return {
    kind: 'syntax',
    message: `{% ${tag} %} is never closed.`,
    advice: `Add {% end${tag} %} where it should end.`,
  }
}

function describeRendering(message: string): Description {
  if (message.startsWith('illegal file path')) {
    return {
      kind: 'missing_part',
      message: 'This tag names no part, because its variable is empty.',
      advice: 'Assign the name of a part to the variable before this tag, or write the name in quotes.',
    }
  }
  if (message === 'block tag cannot be nested') {
    return {
      kind: 'render',
      message: 'A {% block %} contains another {% block %} with the same name.',
      advice: 'Give each {% block %} its own name, or move the inner block out of the outer one.',
    }
  }
  return {
    kind: 'render',
    message: `This could not be rendered: ${message.replace(/\.$/, '')}.`,
    readersMessage: 'This could not be rendered.',
    advice: 'Check the values and filters used here. {{ value | json }} prints what a value contains.',
  }
}

/**
 * Creates the failure of a tag that names a missing part.
 * @param existing the names of the space's parts
 */
export function missingPart(name: string, existing: Iterable<string>): TemplateFailure {
  const wanted = clip(name, 80)
  const nearest = closestTo(wanted, existing)
  const failure = new TemplateFailure(
    'missing_part',
    `This space has no part named “${wanted}”.`,
    nearest === undefined
      ? 'Create a part with this name, or correct the name in this tag. If the part was renamed, use its new name here.'
      : `Did you mean “${nearest}”? Correct the name in this tag, or create a part with this name.`,
  )
  if (nearest !== undefined) failure.correction = { written: wanted, nearest }
  return failure
}

function positionOf(token: Token): { line: number; column: number; excerpt: string } {
  const lineStart = token.input.lastIndexOf('\n', token.begin - 1) + 1
  const lineEnd = token.input.indexOf('\n', token.begin)
  const text = token.input.slice(lineStart, lineEnd === -1 ? undefined : lineEnd)
  return { ...positionIn(token.input, token.begin), excerpt: excerptOf(text, token.begin - lineStart) }
}

/** The source line; if it is long, the piece around `index`. */
function excerptOf(text: string, index: number): string {
  if (text.length <= EXCERPT_LIMIT) return text.trimEnd()
  const from = Math.max(0, index - EXCERPT_LIMIT / 4)
  const piece = text.slice(from, from + EXCERPT_LIMIT).toWellFormed()
  return `${from > 0 ? '…' : ''}${piece.trimEnd()}${from + EXCERPT_LIMIT < text.length ? '…' : ''}`
}

function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit).toWellFormed()}…`
}
