import { LiquidError, type Token } from 'liquidjs'
import type { TemplateError } from '../../core/renderer.ts'
import { overrun, tooDeep } from './budget.ts'
import { type FaultKind, TemplateFault } from './fault.ts'
import { CutOff } from './guard.ts'
import { bareMessage, Wrapped } from './renderer.ts'

/** Characters of a message, and of a source line around the place, that are shown. */
const MESSAGE_LIMIT = 300
const EXCERPT_LIMIT = 160

/** How bodies are named while they are parsed: the page has no name of its own there, as its text may be shared. */
export const PAGE_FILE = 'page'
const PART_PREFIX = 'part:'

export function partFile(name: string): string {
  return PART_PREFIX + name
}

/**
 * Explains whatever was thrown while a page was parsed or rendered.
 * @param slug of the page
 * @param token what was being worked on, for errors that do not know their place themselves
 */
export function explain(error: unknown, slug: string, token: Token | undefined): TemplateError {
  const { kind, message, advice } = describe(error)
  const place = openingOf(tokenOf(error) ?? token, message)
  const file = place?.file ?? PAGE_FILE
  const where = file.startsWith(PART_PREFIX)
    ? { body: 'part' as const, name: file.slice(PART_PREFIX.length) }
    : { body: 'page' as const, name: slug }
  const position =
    place && place.file !== undefined ? positionOf(place) : { line: null, column: null, excerpt: null }
  return { kind, message: clip(message, MESSAGE_LIMIT), advice, where, ...position }
}

function tokenOf(error: unknown): Token | undefined {
  if (error instanceof TemplateFault || error instanceof Wrapped) return error.token
  return LiquidError.is(error) && error.token.file !== undefined ? error.token : undefined
}

/** Raw text that never ends is reported where it begins, behind its tag: people look for the tag. */
function openingOf(token: Token | undefined, message: string): Token | undefined {
  if (!token || !message.startsWith('{% raw %} is opened')) return token
  const begin = token.input.lastIndexOf('{%', token.begin - 1)
  return Object.assign(Object.create(token), { begin: Math.max(begin, 0) })
}

interface Description {
  kind: FaultKind
  message: string
  advice: string
}

function describe(error: unknown): Description {
  if (error instanceof TemplateFault) return error
  if (error instanceof CutOff) return overrun()
  const cause: unknown =
    error instanceof Wrapped ? error.cause : LiquidError.is(error) ? error.originalError : error
  if (cause instanceof TemplateFault) return cause
  if (cause instanceof RangeError) {
    return /call stack/.test(cause.message)
      ? tooDeep()
      : { ...tooLarge, message: 'A text or list becomes too long.' }
  }
  if (LiquidError.is(error)) return describeSyntax(bareMessage(error))
  return describeRendering(error instanceof Error ? error.message : String(error))
}

const tooLarge: Description = {
  kind: 'too_large',
  message: '',
  advice: 'Work on smaller lists or texts, and check that a text is not appended to itself again and again.',
}

function describeSyntax(message: string): Description {
  const unknownTag = /^tag "(.*)" not found$/.exec(message)
  if (unknownTag) {
    const [, name = ''] = unknownTag
    const stray = /^(?:end|else|elsif|when)/.test(name)
    return {
      kind: 'syntax',
      message: stray
        ? `{% ${name} %} stands here without the tag it belongs to.`
        : `There is no tag “${name}”.`,
      advice: stray
        ? 'Remove it, or add the opening tag before it; tags must be closed in the reverse order they were opened in.'
        : 'Check its spelling. Text that only looks like a tag can be put between {% raw %} and {% endraw %}.',
    }
  }
  const unclosed = /^(tag|output|raw) (.*) not closed$/s.exec(message)
  if (unclosed) return describeUnclosed(unclosed[1] ?? '', unclosed[2] ?? '')
  return {
    kind: 'syntax',
    message: `This is not valid Liquid: ${message}.`,
    advice:
      'Check quotes, colons and commas here. Text in double braces that is not Liquid belongs between {% raw %} and {% endraw %}.',
  }
}

function describeUnclosed(what: string, text: string): Description {
  const [, tag = ''] = /^"?\{%-?\s*(\w+)/.exec(text) ?? []
  if (what === 'output') {
    return { kind: 'syntax', message: 'An output {{ is not closed.', advice: 'Close it with }}.' }
  }
  if (text.startsWith('"') && what === 'tag') {
    return { kind: 'syntax', message: `The tag {% ${tag} is not closed.`, advice: 'Close it with %}.' }
  }
  const name = what === 'raw' ? 'raw' : tag
  return {
    kind: 'syntax',
    message: `{% ${name} %} is opened here but never ended.`,
    advice: `Add {% end${name} %} where it should end.`,
  }
}

function describeRendering(message: string): Description {
  if (message.startsWith('illegal file path')) {
    return {
      kind: 'missing_part',
      message: 'This tag names no part: its variable is empty.',
      advice: 'Give the variable the name of a part before this tag, or write the name in quotes.',
    }
  }
  if (message === 'block tag cannot be nested') {
    return {
      kind: 'render',
      message: 'A block stands inside itself.',
      advice:
        'Give each {% block %} a name of its own, and do not put a block into the block of the same name.',
    }
  }
  return {
    kind: 'render',
    message: `This could not be rendered: ${message.replace(/\.$/, '')}.`,
    advice: 'Check the values and filters used here; {{ value | json }} shows what a value holds.',
  }
}

/** The fault of a tag that names a part which the space does not have. */
export function missingPart(name: string): TemplateFault {
  return new TemplateFault(
    'missing_part',
    `There is no part called “${clip(name, 80)}” in this space.`,
    'Create a part with this name, or correct the name in this tag. Renaming a part does not change the texts that include it.',
  )
}

function positionOf(token: Token): { line: number; column: number; excerpt: string } {
  const before = token.input.slice(0, token.begin)
  const lineStart = before.lastIndexOf('\n') + 1
  const line = before.split('\n').length
  const column = Array.from(before.slice(lineStart)).length + 1
  const lineEnd = token.input.indexOf('\n', token.begin)
  const text = token.input.slice(lineStart, lineEnd === -1 ? undefined : lineEnd)
  return { line, column, excerpt: excerptOf(text, token.begin - lineStart) }
}

/** The source line, or the piece of it around `at` where it is long. */
function excerptOf(text: string, at: number): string {
  if (text.length <= EXCERPT_LIMIT) return text.trimEnd()
  const from = Math.max(0, at - EXCERPT_LIMIT / 4)
  const piece = text.slice(from, from + EXCERPT_LIMIT).toWellFormed()
  return `${from > 0 ? '…' : ''}${piece.trimEnd()}${from + EXCERPT_LIMIT < text.length ? '…' : ''}`
}

function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit).toWellFormed()}…`
}
