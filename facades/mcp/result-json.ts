/** JSON text in pieces. A buffer contains UTF-8. */
export type JsonPieces = readonly (string | Buffer)[]

/**
 * Joins pieces: returns one string if none is a buffer, otherwise as few buffers as possible, and the size in bytes.
 * Measures the pieces one by one, because to measure the joined string V8 would copy it.
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

/** The JSON of a value, and the same JSON escaped as the content of a JSON string, without the quotes around it. */
export interface TwiceSerialized {
  json: JsonPieces
  escaped: JsonPieces
}

/**
 * Minimum length, in UTF-16 code units, at which writing a string's bytes ourselves is faster than `JSON.stringify`.
 */
const LONG = 4_096

/**
 * Serializes the result of an operation as `JSON.stringify` does, and also escapes that JSON. Reads long strings of an
 * object only once for both.
 */
export const serializeTwice = (value: unknown): TwiceSerialized => {
  const json: (string | Buffer)[] = []
  const escaped: (string | Buffer)[] = []
  let short = ''
  const endShort = () => {
    json.push(short)
    escaped.push(JSON.stringify(short).slice(1, -1))
    short = ''
  }
  if (!hasLongText(value)) short = JSON.stringify(value)
  else {
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue
      short += `${short === '' && json.length === 0 ? '{' : ','}${JSON.stringify(name)}:`
      if (!isLongText(field)) short += JSON.stringify(field)
      else {
        short += '"'
        endShort()
        for (let start = 0; start < field.length; ) {
          const end = endOfSlice(field, start)
          const written = writeTwice(field.slice(start, end))
          json.push(written.json)
          escaped.push(written.escaped)
          start = end
        }
        short = '"'
      }
    }
    short += '}'
  }
  endShort()
  return { json, escaped }
}

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

/**
 * Buffers for one slice, large enough for the longest results: up to 3 bytes of UTF-8 per code unit, 6 for `\u0001`,
 * and 7 for `\\u0001`.
 */
const memory = {
  source: new Uint8Array(3 * (SLICE + 1)),
  json: new Uint8Array(6 * (SLICE + 1)),
  escaped: new Uint8Array(7 * (SLICE + 1)),
}
const source = Buffer.from(memory.source.buffer)
/** Views of the same buffers that read and write four bytes at once, at any position. */
const words = {
  source: new DataView(memory.source.buffer),
  json: new DataView(memory.json.buffer),
  escaped: new DataView(memory.escaped.buffer),
}

/**
 * Whether one of four bytes is zero. A bit trick: of the bytes below 128, only zero gets its highest bit set when 1 is
 * subtracted.
 */
const hasZero = (word: number) => ((word - 0x01010101) & ~word & 0x80808080) !== 0

/** Whether one of four bytes may need an escape. True if one does, and rarely otherwise. */
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
 * Writes a text as the content of a JSON string, without the quotes, and also writes that content escaped once more.
 */
const writeTwice = (text: string): { json: Buffer; escaped: Buffer } => {
  const { source: from, json, escaped } = memory
  const length = source.write(text)
  let j = 0
  let e = 0
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
  return { json: Buffer.from(json.subarray(0, j)), escaped: Buffer.from(escaped.subarray(0, e)) }
}
