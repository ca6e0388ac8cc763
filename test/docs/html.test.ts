import * as fc from 'fast-check'
import { parseFragment } from 'parse5'
import { expect, test } from 'vitest'
import { block, json, prose } from '../../facades/docs/prose.ts'
import { html } from '../../routers/api/html.ts'

/** Returns the text content of parsed markup. */
const textOf = (node: object): string =>
  'value' in node
    ? String(node.value)
    : 'childNodes' in node
      ? (node.childNodes as object[]).map(textOf).join('')
      : ''

// Leave out U+0000, which the parser drops, and carriage returns, which it turns into line feeds.
const text = fc.string({ unit: 'grapheme' }).map(value => value.replaceAll(/[\0\r]/g, ''))

test('an HTML template escapes text', () => {
  fc.assert(
    fc.property(text, value => {
      expect(textOf(parseFragment(html`<p title="${value}">${value}</p>`.text))).toBe(value)
      expect(textOf(parseFragment(html`<p>${['<b>', value]}</p>`.text))).toBe(`<b>${value}`)
    }),
  )
})

test('an HTML template keeps markup and drops empty values', () => {
  expect(html`${html`<b>${'&'}</b>`}${null}${undefined}${false}${0}`.text).toBe('<b>&amp;</b>0')
})

test('text between backticks is marked as code', () => {
  expect(html`${prose('Send `<a>` now')}`.text).toBe('Send <code>&lt;a&gt;</code> now')
})

test('highlighting JSON keeps its text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const shown = textOf(parseFragment(block('x', json({ value })).text))
      expect(shown.replaceAll('\r', '')).toBe(`x${JSON.stringify({ value }, null, 2)}`.replaceAll('\r', ''))
    }),
  )
})
