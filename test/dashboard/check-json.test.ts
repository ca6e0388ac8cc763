import { array, assert, constantFrom, integer, json, property, string, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatJson } from '../../facades/admin/data/json.ts'
import { checkJson } from '../../facades/shared/check-json.ts'

const check = (text: string) => checkJson(text, 32)

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('JSON that a person types', () => {
  test('is valid if and only if JSON.parse accepts it', () => {
    const noise = array(constantFrom(...Array.from('{}[]",:\\ \n\t0123.-+eEtrufalsn/*u\u0000\ud800\u2028')))
    const texts = tuple(json(), integer({ min: 0, max: 60 }), noise).map(([text, at, characters]) => {
      const offset = Math.min(at, text.length)
      return text.slice(0, offset) + characters.join('') + text.slice(offset + (at % 2))
    })
    assert(
      property(texts, text => {
        expect(check(text).isJson).toBe(parses(text))
      }),
      { numRuns: 3000 },
    )
    assert(
      property(string(), text => {
        expect(check(text).isJson).toBe(parses(text))
      }),
      { numRuns: 500 },
    )
  })

  test('is formatted like JSON.stringify, without changing its value', () => {
    assert(
      property(json(), text => {
        const formatted = formatJson(text)
        expect(JSON.parse(formatted)).toEqual(JSON.parse(text))
        expect(formatJson(formatted)).toBe(formatted)
      }),
      { numRuns: 500 },
    )
    const value = { a: [], b: {}, c: [1, [2, { d: null }]], e: 'x' }
    expect(formatJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
  })

  test('keeps duplicate keys, long numbers and escapes when it is formatted', () => {
    const text = '{"a":1.00,"a":12345678901234567890,"b":"\\u0041"}'
    expect(formatJson(text).replaceAll(/\s/g, '')).toBe(text)
  })

  test('is refused at every nesting depth above the limit', () => {
    expect(check('['.repeat(32) + ']'.repeat(32)).problems).toEqual([])
    expect(check('['.repeat(33) + ']'.repeat(33)).isJson).toBe(false)
    expect(check('['.repeat(1_000_000)).isJson).toBe(false)
  })

  test('is parsed into a map from the JSON Pointer of each value to its offset', () => {
    const text = '{"a/b": [1, {"c~": true}]}'
    const { offsets } = check(text)
    expect([...offsets].map(([pointer, at]) => [pointer, text.slice(at, at + 4)])).toEqual([
      ['', '{"a/'],
      ['/a~1b', '[1, '],
      ['/a~1b/0', '1, {'],
      ['/a~1b/1', '{"c~'],
      ['/a~1b/1/c~0', 'true'],
    ])
  })

  test.each([
    ['', 0, 'Enter a value: an object, a list'],
    ['\ufeff{}', 0, 'The text begins with an invisible character (a byte order mark). Delete it.'],
    ['{"a": 1,}', 8, 'Remove the comma before }'],
    ['[1,]', 3, 'Remove the comma before ]'],
    ['[1,,2]', 3, 'A value is missing before this comma.'],
    ['[1 2]', 3, 'A comma is missing before this.'],
    ['{"a" 1}', 5, 'A colon is missing after the key.'],
    ['{a: 1}', 1, 'Enter a key in double quotes here.'],
    ["['a']", 1, "'a' is not a JSON value. Put text in double quotes."],
    ['[01]', 1, '01 is not a valid JSON number.'],
    ['[1.]', 1, '1. is not a valid JSON number.'],
    ['[1', 0, 'This list has no closing ]'],
    ['[{"a": 1', 1, 'This object has no closing }'],
    ['[1}', 2, 'A ] is missing before this }.'],
    ['{"a":', 5, 'The text ends before the value is complete.'],
    ['"abc', 0, 'This text has no closing double quote.'],
    ['["a\\\\\\x"]', 5, '\\x is not an escape. Write a backslash as \\\\.'],
    ['"a\tb"', 2, 'Write tabs and other control characters as escapes'],
    ['1 2', 2, 'Only one value is allowed.'],
    ['[// one\n1]', 1, 'JSON has no comments.'],
  ])('%j has an error at %i: %s', (text, offset, message) => {
    const { problems, isJson } = check(text)
    expect(isJson).toBe(false)
    expect(problems.at(-1)).toMatchObject({ offset, message: expect.stringContaining(message) })
  })

  test.each([
    ['{"a": 1, "a": 2}', 9, 'The key "a" appears more than once; only the last one is kept.'],
    ['[{"b": 1, "1": 2}]', 1, 'Keys that are whole numbers will move to the front'],
  ])('%j has a warning at %i: %s', (text, offset, message) => {
    expect(check(text)).toMatchObject({
      isJson: true,
      problems: [{ offset, message: expect.stringContaining(message), severity: 'warning' }],
    })
  })
})

describe('a number', () => {
  test.each(['0', '-0', '1.0', '1e3', '0.1', '100', '1E-7', '9007199254740991', '5e-324', '1.50'])(
    '%s is kept',
    text => expect(check(text).problems).toEqual([]),
  )
  test.each(['9007199254740993', '0.1000000000000000055', '1e-400', '123456789.123456789123'])(
    '%s has a warning, because parsing loses digits',
    text => expect(check(text).problems).toMatchObject([{ severity: 'warning' }]),
  )
  test.each(['1e400', `1${'0'.repeat(400)}`, '-1e999999999999'])('%s is too large', text =>
    expect(check(text).problems).toMatchObject([{ severity: 'error' }]),
  )
})
