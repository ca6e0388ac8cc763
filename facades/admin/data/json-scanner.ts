import { numberFinding } from './json-numbers.ts'

/** Something to be said about a place of a JSON text. */
export interface Finding {
  /** Offset in UTF-16 units. */
  at: number
  message: string
  /** An error keeps the text from being saved; a warning says what saving would change. */
  severity: 'error' | 'warning'
}

export interface Scan {
  findings: Finding[]
  /** Whether the text is JSON, of whatever meaning. */
  isJson: boolean
  /** Where values begin, by JSON Pointer. */
  places: Map<string, number>
  /** The text's tokens without the white space between them, as they were written. */
  tokens: string[]
}

/** Ends the scan: the rest of the text has no meaning. */
class SyntaxFault extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

const BLANK = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /[^\s,:[\]{}"]+/y
const STRING_PART = /[^"\\\p{Cc}]+|[\u007f-\u009f]/uy
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
/** What JavaScript takes for an index: such keys come first in an object, in ascending order. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/

/**
 * Looks through a JSON text as it was typed. Says in plain words where it is no JSON, and where what is kept would
 * not mean what was written: keys that stand twice, numbers that lose digits.
 *
 * @param maxDepth how deep lists and objects may nest
 */
export const scanJson = (text: string, maxDepth: number): Scan => {
  const findings: Finding[] = []
  const places = new Map<string, number>()
  const tokens: string[] = []
  let at = 0

  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const [found = ''] = pattern.exec(text) ?? []
    return found
  }
  const skip = () => {
    at += match(BLANK).length
  }
  const take = (token: string) => {
    tokens.push(token)
    at += token.length
  }

  const readString = (): string => {
    const start = at
    for (at++; text[at] !== '"'; ) {
      const part = match(text[at] === '\\' ? ESCAPE : STRING_PART)
      if (part) at += part.length
      else if (at >= text.length || text[at] === '\n' || text[at] === '\r')
        throw new SyntaxFault(start, 'This text is not closed: a double quote is missing.')
      else if (text[at] === '\\')
        throw new SyntaxFault(
          at,
          `There is no escape ${text.slice(at, at + 2)}. A backslash itself is written \\\\.`,
        )
      else
        throw new SyntaxFault(
          at,
          'Tabs and other control characters are written as escapes, \\t for example.',
        )
    }
    at++
    const token = text.slice(start, at)
    tokens.push(token)
    return JSON.parse(token) as string
  }

  const readWord = () => {
    const number = match(NUMBER)
    const word = match(WORD)
    if (number && number === word) {
      const finding = numberFinding(number)
      if (finding) findings.push({ at, ...finding })
      return take(number)
    }
    if (word === 'true' || word === 'false' || word === 'null') return take(word)
    if (/^[-+.\d]/.test(word)) throw new SyntaxFault(at, `${word} is no number as JSON writes it.`)
    if (/^\/[/*]/.test(word)) throw new SyntaxFault(at, 'JSON has no comments.')
    if (word) throw new SyntaxFault(at, `${word.slice(0, 40)} is no value. Text stands in double quotes.`)
    const sign = text[at]!
    throw new SyntaxFault(
      at,
      sign === ',' ? 'A value is missing before this comma.' : `A value is missing before ${sign}`,
    )
  }

  /** Members of a list or object up to its end. */
  const readMembers = (close: '}' | ']', readMember: (index: number) => void) => {
    const start = at
    take(text[at]!)
    skip()
    for (let index = 0; text[at] !== close; index++) {
      if (index > 0) {
        if (at >= text.length) throw new SyntaxFault(start, `This is not closed: a ${close} is missing.`)
        if (text[at] !== ',') throw new SyntaxFault(at, 'A comma is missing before this.')
        take(',')
        skip()
        if (text[at] === close) throw new SyntaxFault(at, `There must be no comma before ${close}`)
      }
      if (at >= text.length) throw new SyntaxFault(start, `This is not closed: a ${close} is missing.`)
      readMember(index)
      skip()
    }
    take(close)
  }

  const readObject = (pointer: string, depth: number) => {
    const start = at
    const keys = new Set<string>()
    readMembers('}', () => {
      const keyAt = at
      if (text[at] !== '"') throw new SyntaxFault(at, 'A key in double quotes is missing here.')
      const key = readString()
      if (keys.has(key))
        findings.push({
          at: keyAt,
          message: `The key ${JSON.stringify(key)} stands here more than once; only the last one is kept.`,
          severity: 'warning',
        })
      keys.add(key)
      skip()
      if (text[at] !== ':') throw new SyntaxFault(at, 'A colon is missing after the key.')
      take(':')
      readValue(`${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth)
    })
    if (isReordered([...keys]))
      findings.push({
        at: start,
        message: 'Keys that are whole numbers are kept before the others, in ascending order.',
        severity: 'warning',
      })
  }

  const readValue = (pointer: string, depth: number) => {
    skip()
    if (at >= text.length) throw new SyntaxFault(at, 'The text ends before its value is complete.')
    places.set(pointer, at)
    const sign = text[at]
    if ((sign === '{' || sign === '[') && depth >= maxDepth)
      throw new SyntaxFault(at, `Lists and objects may nest ${maxDepth} deep, and this is deeper.`)
    if (sign === '{') readObject(pointer, depth + 1)
    else if (sign === '[') readMembers(']', index => readValue(`${pointer}/${index}`, depth + 1))
    else if (sign === '"') readString()
    else readWord()
  }

  try {
    skip()
    if (at >= text.length)
      throw new SyntaxFault(
        0,
        'A value is missing: an object, a list, text in double quotes, a number, true, false or null.',
      )
    readValue('', 0)
    skip()
    if (at < text.length)
      throw new SyntaxFault(
        at,
        'There is something after the value. Several values stand in a list, between [ and ].',
      )
    return { findings, isJson: true, places, tokens }
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault
    findings.push({ at: fault.at, message: fault.message, severity: 'error' })
    return { findings, isJson: false, places, tokens }
  }
}

const isReordered = (keys: string[]): boolean => {
  const isIndex = (key: string) => INDEX.test(key) && Number(key) < 2 ** 32 - 1
  const indexes = keys.filter(isIndex)
  return indexes.toSorted((a, b) => Number(a) - Number(b)).some((key, place) => keys[place] !== key)
}
