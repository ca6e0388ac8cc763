import { type JSONPath, printParseErrorCode, visit } from 'jsonc-parser'
import { checkNumber } from './check-number.ts'

/** Returns the JSON Pointer of a path of keys and indexes. */
export const pointerOf = (path: readonly (string | number)[]): string =>
  path.map(segment => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** A message about one position in a JSON text. */
export interface JsonProblem {
  /** Offset in UTF-16 code units. */
  offset: number
  message: string
  /** An error prevents saving; a warning says what saving would change. */
  severity: 'error' | 'warning'
}

export interface JsonCheck {
  problems: JsonProblem[]
  /** Whether the text parses as JSON, even if problems were found. */
  isJson: boolean
  /** Where each value starts, by JSON Pointer. */
  offsets: Map<string, number>
}

/** Thrown to stop the parser, which would otherwise continue and report follow-up errors. */
class SyntaxProblem extends Error {
  readonly offset: number
  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

/** An open list or object. */
interface Container {
  close: ']' | '}'
  offset: number
  keys: Set<string>
}

/** Keys that JavaScript treats as indexes. An object lists them before its other keys, in ascending order. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/

/** The character that some Windows programs write at the beginning of a file. JSON does not allow it. */
const MARK = '\ufeff'

const isReordered = (keys: string[]): boolean => {
  const indexes = keys.filter(key => INDEX.test(key) && Number(key) < 2 ** 32 - 1)
  return indexes.toSorted((a, b) => Number(a) - Number(b)).some((key, index) => keys[index] !== key)
}

/**
 * Checks a JSON text as it is typed. Reports the first syntax error, and every value that would not be saved as
 * written: duplicate keys, reordered keys, numbers that lose digits.
 *
 * @param maxDepth how deep lists and objects may be nested
 */
export const checkJson = (text: string, maxDepth: number): JsonCheck => {
  const problems: JsonProblem[] = []
  const offsets = new Map<string, number>()
  const open: Container[] = []
  let closed: Container | undefined
  let previous: Token = { kind: 'start', offset: 0, end: 0 }

  const see = (kind: Token['kind'], offset: number, length: number) => {
    previous = { kind, offset, end: offset + length }
  }
  const begin = (close: Container['close'], offset: number, path: JSONPath) => {
    offsets.set(pointerOf(path), offset)
    if (open.length >= maxDepth)
      throw new SyntaxProblem(offset, `Lists and objects can be nested at most ${maxDepth} deep.`)
    open.push({ close, offset, keys: new Set() })
    see(close === ']' ? '[' : '{', offset, 1)
  }
  const end = (offset: number, length: number) => {
    closed = open.pop()!
    if (isReordered([...closed.keys]))
      problems.push({
        offset: closed.offset,
        message: 'Keys that are whole numbers will move to the front, in ascending order.',
        severity: 'warning',
      })
    see('value', offset, length)
  }

  try {
    if (text.startsWith(MARK))
      throw new SyntaxProblem(
        0,
        'The text begins with an invisible character (a byte order mark). Delete it.',
      )
    visit(
      text,
      {
        onObjectBegin: (offset, _length, _line, _column, path) => begin('}', offset, path()),
        onArrayBegin: (offset, _length, _line, _column, path) => begin(']', offset, path()),
        onObjectProperty: (key, offset, length) => {
          const { keys } = open.at(-1)!
          if (keys.has(key))
            problems.push({
              offset,
              message: `The key ${JSON.stringify(key)} appears more than once; only the last one is kept.`,
              severity: 'warning',
            })
          keys.add(key)
          see('key', offset, length)
        },
        onLiteralValue: (value, offset, length, _line, _column, path) => {
          offsets.set(pointerOf(path()), offset)
          const problem = typeof value === 'number' && checkNumber(text.slice(offset, offset + length))
          if (problem) problems.push({ offset, ...problem })
          see('value', offset, length)
        },
        onSeparator: (character, offset, length) => see(character === ',' ? ',' : ':', offset, length),
        onObjectEnd: end,
        onArrayEnd: end,
        onError: (code, offset, length) => {
          const name = printParseErrorCode(code)
          const { at, message } = syntaxMessage({
            text,
            code: name,
            offset,
            length,
            previous,
            // The parser has already closed the container when it reports that the bracket is missing.
            container: name.startsWith('Close') ? closed : open.at(-1),
          })
          throw new SyntaxProblem(at, message)
        },
      },
      { disallowComments: true },
    )
    return { problems, isJson: true, offsets }
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    problems.push({ offset: error.offset, message: error.message, severity: 'error' })
    return { problems, isJson: false, offsets }
  }
}

/** The last token before a syntax error. The closing bracket of a list or object counts as a `value`. */
export interface Token {
  kind: 'start' | '[' | '{' | 'key' | ':' | ',' | 'value'
  offset: number
  end: number
}

interface ParserError {
  text: string
  /** The error's name in jsonc-parser. */
  code: string
  /** Offset of the token at which the parser stopped. */
  offset: number
  length: number
  previous: Token
  /** The innermost open list or object. */
  container: { close: ']' | '}'; offset: number } | undefined
}

const WORD = /[^\s,:[\]{}"]+/y
const ESCAPE_SEQUENCES = /\\(?<valid>["\\/bfnrt]|u[0-9a-fA-F]{4})|\\./gs

const wordAt = (text: string, offset: number): string => {
  WORD.lastIndex = offset
  return WORD.exec(text)?.[0] ?? ''
}

/** Explains a mistake inside a string, and finds its position: jsonc-parser reports only where the string starts. */
const stringMessage = ({ text, code, offset, length }: ParserError) => {
  const string = text.slice(offset, offset + length)
  if (code === 'UnexpectedEndOfString')
    return { at: offset, message: 'This text has no closing double quote.' }
  if (code === 'InvalidCharacter')
    return {
      at: offset + string.search(/\p{Cc}/u),
      message: 'Write tabs and other control characters as escapes, for example \\t.',
    }
  const invalid = [...string.matchAll(ESCAPE_SEQUENCES)].find(({ groups }) => groups?.valid === undefined)
  return {
    at: offset + (invalid?.index ?? 0),
    message: `${invalid?.[0] ?? '\\'} is not an escape. Write a backslash as \\\\.`,
  }
}

/** Explains why an unquoted word is not a value. */
const wordMessage = (word: string) => {
  if (/^[-+.\d]/.test(word)) return `${word} is not a valid JSON number.`
  return `${word.slice(0, 40)} is not a JSON value. Put text in double quotes.`
}

/** Explains why the token at `offset` is not allowed after the previous token. */
const unexpectedMessage = ({ text, offset, previous, container }: ParserError): string => {
  const found = text[offset]!
  const word = wordAt(text, offset)
  if (previous.kind === 'key') return 'A colon is missing after the key.'
  if (previous.kind === 'value') {
    if (!container) return 'Only one value is allowed. Put several values in a list, between [ and ].'
    return found === ']' || found === '}'
      ? `A ${container.close} is missing before this ${found}.`
      : 'A comma is missing before this.'
  }
  if (previous.kind === ',' && found === container?.close) return `Remove the comma before ${found}`
  if (previous.kind !== ':' && container?.close === '}') return 'Enter a key in double quotes here.'
  if (word) return wordMessage(word)
  return found === ',' ? 'A value is missing before this comma.' : `A value is missing before ${found}`
}

/**
 * Says what is wrong and how to fix it, in place of jsonc-parser's error names.
 *
 * @returns the message and the offset it belongs to
 */
export const syntaxMessage = (error: ParserError): { at: number; message: string } => {
  const { text, code, offset, previous, container } = error
  if (code === 'InvalidCommentToken') return { at: offset, message: 'JSON has no comments. Remove this one.' }
  if (/^(?:UnexpectedEndOfString|InvalidCharacter|InvalidEscapeCharacter|InvalidUnicode)$/.test(code))
    return stringMessage(error)
  if (offset < text.length) {
    // The parser splits "01" into two tokens.
    const isSplitNumber = previous.kind === 'value' && previous.end === offset && wordAt(text, offset) !== ''
    const word = isSplitNumber ? wordAt(text, previous.offset) : ''
    if (word) return { at: previous.offset, message: wordMessage(word) }
    return { at: offset, message: unexpectedMessage(error) }
  }
  if (previous.kind === 'start')
    return {
      at: 0,
      message: 'Enter a value: an object, a list, text in double quotes, a number, true, false or null.',
    }
  if (container && previous.kind !== 'key' && previous.kind !== ':')
    return {
      at: container.offset,
      message: `This ${container.close === ']' ? 'list' : 'object'} has no closing ${container.close}`,
    }
  return { at: offset, message: 'The text ends before the value is complete.' }
}
