const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Maximum nesting of JSON that is parsed at all. The limit on stored values is far lower; it is checked after parsing.
 */
export const MAX_DEPTH = 1_000

/** The first index, and the index after the last one, of a range. */
export type Bounds = readonly [start: number, end: number]

/**
 * Measures, without parsing, the properties of a JSON text that make parsing slow. Reads the text as it arrives, in a
 * single pass that skips strings, and takes linear time for any input.
 */
export class JsonShape {
  /** Deepest nesting of arrays and objects so far. The parser's time grows steeply with the nesting. */
  depth = 0
  /** Number of commas and opening brackets outside strings, which is roughly the number of values. */
  values = 0
  /** Where the contents of long strings are in the text, in order. */
  readonly longStrings: Bounds[] = []
  readonly #long: number
  #level = 0
  #hasExtraClose = false
  /** Index at which the content of an unfinished string starts; null outside strings. */
  #open: number | null = null
  /** The last string that was read directly in the top-level object or array. */
  #string: Bounds | null = null
  /** The name of the current member of the top-level object. */
  #name: Bounds | null = null
  /** The name of the top-level member with the deepest nesting so far. */
  #deepest: Bounds | null = null

  /** @param long a number of bytes. Strings with more bytes are listed in `longStrings` */
  constructor(long: number) {
    this.#long = long
  }

  /** Whether the numbers of opening and closing brackets are equal. If not, the text is not JSON. */
  get isBalanced(): boolean {
    return !this.#hasExtraClose && this.#level === 0
  }

  /**
   * Compares the members of the top-level object, and returns the name of the one that is nested most deeply. Escape
   * sequences in the name are not decoded.
   */
  deepestIn(bytes: Buffer): string | null {
    return this.#deepest && bytes.toString('utf8', ...this.#deepest)
  }

  /**
   * Measures the bytes that have arrived since the last call.
   *
   * @param bytes the whole text so far
   * @param from number of bytes that earlier calls have measured
   */
  read(bytes: Buffer, from: number): void {
    let index = from
    if (this.#open !== null) index = this.#readString(bytes, from)
    for (; index < bytes.length; index++)
      switch (bytes[index]!) {
        case QUOTE:
          this.#open = index + 1
          index = this.#readString(bytes, index + 1) - 1
          break
        case COLON:
          if (this.#level === 1) this.#name = this.#string
          break
        case COMMA:
          this.values++
          break
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          this.values++
          this.#level++
          if (this.#level > this.depth) {
            this.depth = this.#level
            this.#deepest = this.#name
          }
          break
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          this.#level--
          if (this.#level < 0) this.#hasExtraClose = true
      }
  }

  /** Skips to the end of the open string. Returns the index after its closing quote, or the end of the text. */
  #readString(bytes: Buffer, from: number): number {
    const start = this.#open!
    for (let index = bytes.indexOf(QUOTE, from); index !== -1; index = bytes.indexOf(QUOTE, index + 1)) {
      if (backslashesBefore(bytes, index) % 2 === 1) continue
      if (this.#level === 1) this.#string = [start, index]
      if (index - start > this.#long) this.longStrings.push([start, index])
      this.#open = null
      return index + 1
    }
    return bytes.length
  }
}

/** Returns the number of consecutive backslashes directly before an index. */
export const backslashesBefore = (bytes: Buffer, index: number): number => {
  let count = 0
  while (bytes[index - 1 - count] === BACKSLASH) count++
  return count
}
