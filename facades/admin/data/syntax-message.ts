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
