import { type JSONPath, printParseErrorCode, visit } from 'jsonc-parser'
import { checkNumber } from './check-number.ts'
import { pointerOf } from './json-pointer.ts'
import { syntaxMessage, type Token } from './syntax-message.ts'

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
