import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differences, linesOf, mergeLines } from '../../facades/shared/merge-lines.ts'

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', '\n'), { maxLength: 12 })
  .map(lines => lines.join(''))

describe('differences', () => {
  test('turn the first text into the second', () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        const lines = linesOf(from)
        for (const hunk of differences(lines, linesOf(to)).toReversed())
          lines.splice(hunk.start, hunk.end - hunk.start, ...hunk.lines)
        expect(lines.join('')).toBe(to)
      }),
      { numRuns: 300 },
    )
  })

  test('of two long texts without a common line are one', () => {
    const lines = (word: string) => Array.from({ length: 2_000 }, (_, index) => `${word}${index}\n`)
    expect(differences(lines('a'), lines('b'))).toHaveLength(1)
  })
})

describe('a merge', () => {
  test.each([
    ['changes of different lines', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
    ['equal changes', 'a\nb\n', 'A\nb\n', 'A\nb\n', 'A\nb\n'],
    ['a deletion and a change elsewhere', 'a\nb\nc\nd\n', 'b\nc\nd\n', 'a\nb\nc\nD\n', 'b\nc\nD\n'],
    ['an addition at the end without a line break', 'a\nb\nc', 'A\nb\nc', 'a\nb\nc\nd', 'A\nb\nc\nd'],
    ['different changes of one line', 'a\nb\n', 'A\nb\n', 'x\nb\n', null],
    ['different additions at one place', 'a\n', 'a\nb\n', 'a\nc\n', null],
    ['changes of lines beside each other', 'a\nb\n', 'A\nb\n', 'a\nB\n', null],
    ['a deleted and a changed line', 'a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n', null],
  ])('of %s', (_, base, mine, theirs, merged) => {
    expect(mergeLines(base, mine, theirs)).toBe(merged)
  })

  test('takes a change of one side, is the same from both sides, and can be repeated', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        expect(mergeLines(base, mine, base)).toBe(mine)
        expect(mergeLines(base, base, theirs)).toBe(theirs)
        const merged = mergeLines(base, mine, theirs)
        expect(mergeLines(base, theirs, mine)).toBe(merged)
      }),
      { numRuns: 300 },
    )
  })
})
