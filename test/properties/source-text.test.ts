import { decodeHTML } from 'entities'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textOf, withText } from '../../facades/admin/preview/source-text.ts'

const source = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      ' ',
      '&amp;',
      '&lt;',
      '&nbsp;',
      '&#123;',
      '&copy',
      '&',
      '{',
      '%',
      '\r\n',
      '😀',
      ';',
      'lt',
    ),
    {
      maxLength: 10,
    },
  )
  .map(pieces => pieces.join(''))
  .filter(written => !/\{[{%]/.test(written))
const text = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '&', '<', '>', '{', '%', '\n', '😀', 'amp;', 'lt'),
  maxLength: 10,
})

describe('a changed text', () => {
  it('is what a browser shows for the changed source, which has no new tag', () => {
    fc.assert(
      fc.property(source, text, (written, changed) => {
        const result = withText(written, changed, decodeHTML)
        expect(textOf(result, decodeHTML)).toBe(changed)
        expect(decodeHTML(result.replace(/\r\n/g, '\n'))).toBe(changed)
        expect(result).not.toMatch(/<|\{[{%]/)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['nothing', 'Fish &amp; chips', 'Fish & chips', 'Fish &amp; chips'],
    ['a word', 'a&nbsp;b &mdash; c', 'a\u00a0b — d', 'a&nbsp;b &mdash; d'],
    ['the middle', '&copy; one &reg;', '© two ®', '&copy; two &reg;'],
    ['everything', '&copy;', 'x < y & z', 'x &lt; y &amp; z'],
    ['a brace before a brace', '{x{ y }}', '{{ y }}', '&#123;&#123; y }}'],
    ['line breaks', 'one\r\ntwo', 'one\n2', 'one\r\n2'],
    ['to nothing', 'text', '', ''],
  ])('keeps what is not changed: %s', (_, written, changed, expected) => {
    expect(withText(written, changed, decodeHTML)).toBe(expected)
  })
})
