import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../facades/http/parse-json.ts'
import { unescapeInPlace } from '../../facades/http/unescape.ts'
import { JsonShape } from '../../routers/api/json-shape.ts'
import { LongText } from '../../routers/api/long-text.ts'
import { base64Size, decodeContent, decodeInPlace } from '../../routers/content/files/content.ts'

/**
 * Random contents of a JSON string: complete and incomplete escape sequences, characters of one to four bytes,
 * surrogates.
 */
const jsonString = fc
  .array(
    fc.constantFrom(
      '\\\\',
      '\\n',
      '\\u0041',
      '\\uD83D',
      '\\uDE00',
      '\\uD83D\\uDE00',
      '\\ud83d',
      '\\udE00',
      '\\/',
      'a',
      'aaaa',
      'aaaaaaaa',
      'é',
      '€',
      '😀',
      'u',
      'D8',
      'uDE00',
      '\\\\u',
      '\u0001',
      '\\x',
      '\\u12',
    ),
    { maxLength: 40 },
  )
  .map(pieces => pieces.join(''))

const parsed = (content: string): string | null => {
  try {
    return JSON.parse(`"${content}"`) as string
  } catch {
    return null
  }
}

describe('a long JSON string', () => {
  it('is unescaped in slices with the same result as JSON.parse', async () => {
    await fc.assert(
      fc.asyncProperty(jsonString, fc.integer({ min: 16, max: 40 }), async (content, slice) => {
        const expected = parsed(content)
        const result = await unescapeInPlace(Buffer.from(content), slice).catch((error: unknown) => {
          if (error instanceof SyntaxError) return null
          throw error
        })
        expect(result).toEqual(
          expected === null ? null : new LongText(Buffer.from(expected), expected.isWellFormed()),
        )
      }),
      { numRuns: 3000 },
    )
  })

  it('is decoded from base64 in slices with the same result as in one step', async () => {
    const usual = fc.constantFrom(...'ABCDabcd0123+/AAAA= \r\n='.split(''))
    const invalid = fc.constantFrom(...'-_\t\u0001é'.split(''))
    const content = fc
      .array(fc.oneof({ arbitrary: usual, weight: 60 }, { arbitrary: invalid, weight: 1 }), { maxLength: 60 })
      .map(letters => letters.join(''))
    const slice = fc.integer({ min: 1, max: 5 }).map(quanta => quanta * 4)
    await fc.assert(
      fc.asyncProperty(content, slice, async (text, bytes) => {
        const size = base64Size(text)
        const decoded = await decodeInPlace(Buffer.from(text), bytes)
        expect(decoded).toEqual(typeof size === 'string' ? size : decodeContent(text, 'base64'))
      }),
      { numRuns: 3000 },
    )
  })
})

/**
 * Reads a JSON text in pieces, as if the pieces arrived over the network. Returns the text as bytes, and the shape of
 * the text.
 */
const measure = (text: string, long: number, piece: number) => {
  const bytes = Buffer.from(text)
  const shape = new JsonShape(long)
  for (let from = 0; from < bytes.length; from += piece) shape.read(bytes.subarray(0, from + piece), from)
  return { bytes, shape }
}

describe('a JSON body', () => {
  it('is parsed with the same result as JSON.parse, except for the type of long strings', async () => {
    const toText = (value: unknown): unknown =>
      value instanceof LongText ? value.bytes.toString() : Array.isArray(value) ? value.map(toText) : value
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.integer(), fc.constant([[]]))),
        fc.nat(20),
        fc.integer({ min: 1, max: 50 }),
        async (value, long, piece) => {
          const { bytes, shape } = measure(JSON.stringify(value), long, piece)
          const result = await parseJson(bytes, shape)
          expect(toText(result)).toEqual(value)
          const isLong = (item: unknown) => Buffer.byteLength(JSON.stringify(item)) - 2 > long
          for (const [index, item] of (result as unknown[]).entries())
            expect(item instanceof LongText).toBe(typeof value[index] === 'string' && isLong(value[index]))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('has a shape that does not depend on how the body is split into pieces', () => {
    const text = JSON.stringify({ 'a"\\': ['\\', { b: [[{}]] }], c: '[{,\\"', d: [] })
    const figures = ({ bytes, shape }: ReturnType<typeof measure>) => ({
      depth: shape.depth,
      values: shape.values,
      isBalanced: shape.isBalanced,
      deepest: shape.deepestIn(bytes),
    })
    for (let piece = 1; piece <= text.length; piece++)
      expect(figures(measure(text, 100, piece))).toEqual({
        depth: 6,
        values: 10,
        isBalanced: true,
        deepest: 'a\\"\\\\',
      })
    expect(figures(measure('[]]', 100, 1)).isBalanced).toBe(false)
  })
})
