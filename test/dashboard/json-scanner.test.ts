import { array, assert, constantFrom, integer, json, property, string, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatJson } from '../../facades/admin/data/format-json.ts'
import { scanJson } from '../../facades/admin/data/json-scanner.ts'

const scan = (text: string) => scanJson(text, 32)

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('what is typed as JSON', () => {
  test('is JSON when the browser takes it for JSON, and not otherwise', () => {
    const signs = array(constantFrom(...Array.from('{}[]",:\\ \n\t0123.-+eEtrufalsn/u\u0000\ud800\u2028')))
    const texts = tuple(json(), integer({ min: 0, max: 60 }), signs).map(([text, at, noise]) => {
      const place = Math.min(at, text.length)
      return text.slice(0, place) + noise.join('') + text.slice(place + (at % 2))
    })
    assert(
      property(texts, text => {
        expect(scan(text).isJson).toBe(parses(text))
      }),
      { numRuns: 3000 },
    )
    assert(
      property(string(), text => {
        expect(scan(text).isJson).toBe(parses(text))
      }),
      { numRuns: 500 },
    )
  })

  test('means the same when it is laid out, and is laid out as the browser does it', () => {
    assert(
      property(json(), text => {
        const laidOut = formatJson(scan(text).tokens)
        expect(JSON.parse(laidOut)).toEqual(JSON.parse(text))
        expect(formatJson(scan(laidOut).tokens)).toBe(laidOut)
      }),
      { numRuns: 500 },
    )
    const value = { a: [], b: {}, c: [1, [2, { d: null }]], e: 'x' }
    expect(formatJson(scan(JSON.stringify(value)).tokens)).toBe(JSON.stringify(value, null, 2))
  })

  test('is laid out without losing what parsing would lose', () => {
    const text = '{"a":1.00,"a":12345678901234567890,"b":"\\u0041"}'
    expect(formatJson(scan(text).tokens).replaceAll(/\s/g, '')).toBe(text)
  })

  test('is refused where it nests too deeply, however deeply that is', () => {
    expect(scan('['.repeat(32) + ']'.repeat(32)).findings).toEqual([])
    expect(scan('['.repeat(33) + ']'.repeat(33)).isJson).toBe(false)
    expect(scan('['.repeat(1_000_000)).isJson).toBe(false)
  })

  test('has a place for every value, by JSON Pointer', () => {
    const text = '{"a/b": [1, {"c~": true}]}'
    const { places } = scan(text)
    expect([...places].map(([pointer, at]) => [pointer, text.slice(at, at + 4)])).toEqual([
      ['', '{"a/'],
      ['/a~1b', '[1, '],
      ['/a~1b/0', '1, {'],
      ['/a~1b/1', '{"c~'],
      ['/a~1b/1/c~0', 'true'],
    ])
  })

  test.each([
    ['', 'A value is missing: an object, a list'],
    ['{"a": 1,}', 'There must be no comma before }'],
    ['[1 2]', 'A comma is missing before this.'],
    ['{"a" 1}', 'A colon is missing after the key.'],
    ['{a: 1}', 'A key in double quotes is missing here.'],
    ["['a']", "'a' is no value. Text stands in double quotes."],
    ['[01]', '01 is no number as JSON writes it.'],
    ['[1', 'This is not closed: a ] is missing.'],
    ['"abc', 'This text is not closed'],
    ['"\\x"', 'There is no escape \\x.'],
    ['1 // one', 'There is something after the value.'],
    ['[// one\n1]', 'JSON has no comments.'],
  ])('%j: %s', (text, words) => {
    const { findings, isJson } = scan(text)
    expect(isJson).toBe(false)
    expect(findings.at(-1)?.message).toContain(words)
  })
})

describe('a number', () => {
  test.each(['0', '-0', '1.0', '1e3', '0.1', '100', '1E-7', '9007199254740991', '5e-324', '1.50'])(
    '%s is kept',
    text => expect(scan(text).findings).toEqual([]),
  )
  test.each(['9007199254740993', '0.1000000000000000055', '1e-400', '123456789.123456789123'])(
    '%s loses digits, which is said',
    text => expect(scan(text).findings).toMatchObject([{ severity: 'warning' }]),
  )
  test.each(['1e400', `1${'0'.repeat(400)}`, '-1e999999999999'])('%s is refused', text =>
    expect(scan(text).findings).toMatchObject([{ severity: 'error' }]),
  )
})
