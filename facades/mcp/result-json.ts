/** JSON text in pieces. A buffer contains UTF-8. */
export type JsonPieces = readonly (string | Buffer)[]

/**
 * Joins pieces: returns one string if none is a buffer, otherwise as few buffers as possible, and the size in bytes.
 * Measures the pieces one by one, because V8 would copy the joined string to measure it.
 */
export const joined = (pieces: JsonPieces): { text: string | Buffer[]; size: number } => {
  const buffers: Buffer[] = []
  let short = ''
  let size = 0
  const endShort = () => {
    buffers.push(Buffer.from(short))
    short = ''
  }
  for (const piece of pieces) {
    size += Buffer.byteLength(piece)
    if (typeof piece === 'string') short += piece
    else {
      endShort()
      buffers.push(piece)
    }
  }
  if (buffers.length === 0) return { text: short, size }
  endShort()
  return { text: buffers, size }
}

/**
 * Minimum length, in UTF-16 code units, at which writing a string's bytes ourselves is faster than `JSON.stringify`.
 */
const LONG = 4_096

/**
 * Serializes the result of an operation to JSON, as `JSON.stringify` does. Writes this JSON twice: first escaped for
 * use inside a JSON string, then unchanged. Reads each long string of an object only once for both outputs.
 *
 * @param around three strings. The first is written before the escaped JSON, the second between the escaped and the
 * plain JSON, and the third after the plain JSON.
 */
export const serializeTwice = (
  value: unknown,
  [start, middle, end]: readonly [string, string, string],
): JsonPieces => {
  if (!hasLongText(value)) {
    const json = JSON.stringify(value)
    return [start + escapedJson(json) + middle + json + end]
  }
  const output = new Output()
  let short = '{'
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue
    short += `${short === '{' ? '' : ','}${JSON.stringify(name)}:`
    if (isLongText(field)) {
      output.addJson(`${short}"`)
      output.addText(field)
      short = '"'
    } else short += JSON.stringify(field)
  }
  output.addJson(`${short}}`)
  return output.pieces(start, middle, end)
}

/** Escapes JSON as the content of a JSON string, without the quotes around it. */
const escapedJson = (json: string): string => JSON.stringify(json).slice(1, -1)

const hasLongText = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).some(isLongText)

/** Excludes text with lone surrogates, which UTF-8 can't represent. */
const isLongText = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= LONG && value.isWellFormed()

/** Number of UTF-16 code units that are written at once. If that would split a surrogate pair, one more is written. */
const SLICE = 32_768

const endOfSlice = (text: string, start: number): number => {
  const end = Math.min(text.length, start + SLICE)
  const isDivided = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00
  return isDivided ? end + 1 : end
}

/** Maximum bytes per UTF-16 code unit: in UTF-8, in JSON (`\u0001`) and in escaped JSON (`\\u0001`). */
const WIDEST = { source: 3, json: 6, escaped: 7 }

/**
 * Memory for one slice, and for the results of slices. The results are copied to new buffers before code outside this
 * module runs.
 */
const memory = {
  source: Buffer.alloc(WIDEST.source * (SLICE + 1)),
  json: Buffer.alloc(WIDEST.json * (SLICE + 1)),
  escaped: Buffer.alloc(WIDEST.escaped * (SLICE + 1)),
}
const viewOf = ({ buffer, byteOffset, byteLength }: Buffer) => new DataView(buffer, byteOffset, byteLength)
/** Views of the buffers in `memory`. A view reads and writes four bytes at once, at any position. */
const words = {
  source: viewOf(memory.source),
  json: viewOf(memory.json),
  escaped: viewOf(memory.escaped),
}

/** Collects JSON and the same JSON escaped. Results that fit in `memory` are copied once, into one buffer. */
class Output {
  readonly #json: Buffer[] = []
  readonly #escaped: Buffer[] = []
  /** Number of bytes written to each buffer of `memory`. */
  readonly #used: Used = { json: 0, escaped: 0 }

  /** Adds a fragment of JSON in which strings are already escaped. */
  addJson(json: string): void {
    const escaped = escapedJson(json)
    const used = this.#used
    if (!this.#reserve(WIDEST.source * json.length, WIDEST.source * escaped.length)) {
      this.#json.push(Buffer.from(json))
      this.#escaped.push(Buffer.from(escaped))
      return
    }
    used.json += memory.json.write(json, used.json)
    used.escaped += memory.escaped.write(escaped, used.escaped)
  }

  /** Adds the content of a JSON string. */
  addText(text: string): void {
    for (let start = 0; start < text.length; ) {
      const end = endOfSlice(text, start)
      this.#reserve(WIDEST.json * (end - start), WIDEST.escaped * (end - start))
      writeTwice(text.slice(start, end), this.#used)
      start = end
    }
  }

  pieces(start: string, middle: string, end: string): JsonPieces {
    if (this.#json.length > 0) {
      this.#flush()
      return [start, ...this.#escaped, middle, ...this.#json, end]
    }
    const { json, escaped } = this.#used
    const parts = [start, memory.escaped.subarray(0, escaped), middle, memory.json.subarray(0, json), end]
    const size = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
    const whole = Buffer.allocUnsafeSlow(size)
    let at = 0
    for (const part of parts) {
      if (typeof part === 'string') at += whole.write(part, at)
      else {
        whole.set(part, at)
        at += part.length
      }
    }
    return [whole]
  }

  /** Makes space for these numbers of bytes. Returns false if the memory is too small for them. */
  #reserve(json: number, escaped: number): boolean {
    const { length } = memory.json
    const used = this.#used
    if (used.json + json > length || used.escaped + escaped > memory.escaped.length) this.#flush()
    return json <= length && escaped <= memory.escaped.length
  }

  /** Moves the content of the memory to new buffers. */
  #flush(): void {
    const used = this.#used
    this.#json.push(Buffer.copyBytesFrom(memory.json, 0, used.json))
    this.#escaped.push(Buffer.copyBytesFrom(memory.escaped, 0, used.escaped))
    used.json = 0
    used.escaped = 0
  }
}

/** How many bytes of `memory.json` and `memory.escaped` are used. */
interface Used {
  json: number
  escaped: number
}

/**
 * Whether one of the four bytes in a word is zero. Subtracting 1 sets the highest bit of a zero byte, but not
 * of any other byte below 128.
 */
const hasZero = (word: number) => ((word - 0x01010101) & ~word & 0x80808080) !== 0

/** Whether at least one of the four bytes in a word needs an escape. */
const mayNeedEscape = (word: number) =>
  ((word - 0x20202020) & ~word & 0x80808080) !== 0 || hasZero(word ^ 0x22222222) || hasZero(word ^ 0x5c5c5c5c)

const BACKSLASH = 0x5c
const QUOTE = 0x22

/**
 * How JSON writes each byte: 0 means unchanged, 1 means as `\u` with four digits, and any other value is the character
 * after the backslash.
 */
const ESCAPES = new Uint8Array(256)
ESCAPES.fill(1, 0, 0x20)
for (const character of '\b\t\n\f\r"\\')
  ESCAPES[character.charCodeAt(0)] = JSON.stringify(character).charCodeAt(2)

/**
 * Escapes text for use inside a JSON string, and writes the result to `memory.json`, without quotes. Escapes the result
 * once more, and writes the second result to `memory.escaped`.
 *
 * @param used where to begin in both buffers. The function moves both positions past the written bytes.
 */
const writeTwice = (text: string, used: Used): void => {
  const { source: from, json, escaped } = memory
  const length = from.write(text)
  let j = used.json
  let e = used.escaped
  for (let i = 0; i < length; ) {
    const end = i + 4
    if (end <= length) {
      const word = words.source.getInt32(i)
      if (!mayNeedEscape(word)) {
        words.json.setInt32(j, word)
        words.escaped.setInt32(e, word)
        i = end
        j += 4
        e += 4
        continue
      }
    }
    for (; i < end && i < length; i++) {
      const byte = from[i]!
      const code = ESCAPES[byte]!
      if (code === 0) {
        json[j++] = byte
        escaped[e++] = byte
        continue
      }
      json[j++] = BACKSLASH
      escaped[e++] = BACKSLASH
      escaped[e++] = BACKSLASH
      if (code === 1) {
        for (const digit of `u${byte.toString(16).padStart(4, '0')}`) {
          json[j++] = digit.charCodeAt(0)
          escaped[e++] = digit.charCodeAt(0)
        }
        continue
      }
      json[j++] = code
      if (code === QUOTE || code === BACKSLASH) escaped[e++] = BACKSLASH
      escaped[e++] = code
    }
  }
  used.json = j
  used.escaped = e
}
