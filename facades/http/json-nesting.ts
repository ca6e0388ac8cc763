const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** The properties of a JSON text that make parsing slow: the parser's time grows steeply with the nesting. */
export interface JsonShape {
  /** Deepest nesting of arrays and objects. */
  depth: number
  /** The member of the outermost object that holds the deepest nesting, as written between its quotes. */
  deepest: string | null
  /** Commas and opening brackets outside strings: how many values there are, roughly. */
  values: number
  /** Whether the numbers of opening and closing brackets are equal. If not, the text is not JSON. */
  isBalanced: boolean
}

/** The first index, and the index after the last one. */
type Bounds = readonly [number, number] | null

/** Measures a JSON text without parsing it, in one pass that skips strings. Linear for any bytes. */
export const measureJson = (bytes: Buffer): JsonShape => {
  let level = 0
  let depth = 0
  let values = 0
  let isBalanced = true
  // Bounds of the latest string and of the latest name in the outermost object.
  let string: Bounds = null
  let name: Bounds = null
  let deepest: Bounds = null
  for (let index = 0; index < bytes.length; index++)
    switch (bytes[index]!) {
      case QUOTE: {
        const end = endOfString(bytes, index)
        if (level === 1) string = [index + 1, end]
        index = end
        break
      }
      case COLON:
        if (level === 1) name = string
        break
      case COMMA:
        values++
        break
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        values++
        level++
        if (level > depth) {
          depth = level
          deepest = name
        }
        break
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        level--
        if (level < 0) isBalanced = false
    }
  return {
    depth,
    deepest: textAt(bytes, deepest),
    values,
    isBalanced: isBalanced && level === 0,
  }
}

const textAt = (bytes: Buffer, bounds: Bounds): string | null => bounds && bytes.toString('utf8', ...bounds)

/** Index of the quote that closes the string opened at `start`; the length of the text for an unfinished one. */
const endOfString = (bytes: Buffer, start: number): number => {
  for (let index = bytes.indexOf(QUOTE, start + 1); index !== -1; index = bytes.indexOf(QUOTE, index + 1)) {
    let backslashes = 0
    while (bytes[index - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return index
  }
  return bytes.length
}
