/** JSON in pieces. A buffer has UTF-8. */
export type JsonPieces = readonly (string | Buffer)[]

/** Returns pieces as one string if none is a buffer, otherwise as few buffers. */
export const joined = (pieces: JsonPieces): string | Buffer[] => {
  const buffers: Buffer[] = []
  let short = ''
  const endShort = () => {
    buffers.push(Buffer.from(short))
    short = ''
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') short += piece
    else {
      endShort()
      buffers.push(piece)
    }
  }
  if (buffers.length === 0) return short
  endShort()
  return buffers
}

/** JSON of a value, and the same JSON as the content of a JSON string, without the quotes around it. */
export interface TwiceSerialized {
  json: JsonPieces
  escaped: JsonPieces
}

/** Length from which writing the bytes of a string is faster than `JSON.stringify`, in UTF-16 code units. */
const LONG = 4_096

/**
 * `JSON.stringify` for the result of an operation, once as it is and once escaped. Long strings of an object are read
 * only once for both.
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

/** A lone surrogate has no UTF-8. */
const isLongText = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= LONG && value.isWellFormed()

/** Number of UTF-16 code units that are written at once. One more may be, so that no surrogate pair is divided. */
const SLICE = 32_768

const endOfSlice = (text: string, start: number): number => {
  const end = Math.min(text.length, start + SLICE)
  const isDivided = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00
  return isDivided ? end + 1 : end
}

/** The memory that slices are written to, with space for the longest result: `\u0001`, and `\\u0001` escaped. */
const memory = {
  source: new Uint8Array(3 * (SLICE + 1)),
  json: new Uint8Array(6 * (SLICE + 1)),
  escaped: new Uint8Array(7 * (SLICE + 1)),
}
const source = Buffer.from(memory.source.buffer)

const BACKSLASH = 0x5c
const QUOTE = 0x22

/** For each byte: 0 if JSON has it as it is, the character after the backslash, or 1 if JSON has its number. */
const ESCAPES = new Uint8Array(256)
ESCAPES.fill(1, 0, 0x20)
for (const character of '\b\t\n\f\r"\\')
  ESCAPES[character.charCodeAt(0)] = JSON.stringify(character).charCodeAt(2)

/** Writes the JSON of a text, without quotes, and the same escaped once more. */
const writeTwice = (text: string): { json: Buffer; escaped: Buffer } => {
  const { source: from, json, escaped } = memory
  const length = source.write(text)
  let j = 0
  let e = 0
  for (let i = 0; i < length; i++) {
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
  return { json: Buffer.from(json.subarray(0, j)), escaped: Buffer.from(escaped.subarray(0, e)) }
}
