import { filters } from 'liquidjs'
import { describe, expect, it } from 'vitest'
import { CUSTOM_FILTERS } from '../../routers/rendering/engine/filters/custom.ts'
import { sharedRenderer } from '../support/renderer.ts'
import { htmlOf, renderIn, type Trial } from './site.ts'

const renderer = sharedRenderer()

const show = async (template: string, trial?: Trial) => htmlOf(await renderIn(renderer, template, trial))

describe('text that is encoded or decoded', () => {
  it.each([
    ["'100%' | url_decode", '100%'],
    ["'50%+of%20100%25%2' | url_decode", '50% of 100%%2'],
    ["'a%C3%A4%E2%82%AC' | url_decode", 'aä€'],
    ["'ä b*' | url_encode", '%C3%A4+b%2A'],
    ["'ä?' | base64_encode", 'w6Q/'],
    ["'w6Q/' | base64_decode", 'ä?'],
    ["'ä?~' | base64_url_safe_encode", 'w6Q_fg=='],
    ["'w6Q_fg==' | base64_url_safe_decode", 'ä?~'],
    ["'http://a.example/ä [b]' | uri_escape", 'http://a.example/%C3%A4%20[b]'],
  ])('%s', async (filter, expected) => {
    expect(await show(`{{ ${filter} | raw }}`)).toBe(expected)
  })
})

describe('slugify: "latin"', () => {
  it.each([
    ['Ünïcode Ärger', 'unicode-arger'],
    ['Straße & Łódź', 'strasse-lodz'],
    ['Æsir Øre Þing Œuvre ĲSSEL', 'aesir-ore-thing-oeuvre-ijssel'],
    ['Crème brûlée – 5 €', 'creme-brulee-5'],
    ['日本 Tokyo', 'tokyo'],
  ])('%s', async (text, expected) => {
    expect(await show(`{{ "${text}" | slugify: "latin" }}`)).toBe(expected)
  })

  it('is the only mode that removes accents', async () => {
    expect(await show('{{ "Ünï Öl" | slugify }} {{ "Ünï Öl" | slugify: "ascii" }}')).toBe('ünï-öl n-l')
  })
})

describe('a backslash in a string', () => {
  it.each([
    ["{{ 'C:\\temp\\new' }}", 'C:\\temp\\new'],
    ["{{ '\\frac\\beta\\u0041\\101' }}", '\\frac\\beta\\u0041\\101'],
    ['{{ "a\\nb" | newline_to_br }}', 'a\\nb'],
    ["{{ 'ends with \\' }}", 'ends with \\'],
    ['{% if "\\" == "\\" %}{{ "a\\b" | split: "\\" | join: "/" }}{% endif %}', 'a/b'],
    ['{% assign x = "\\t" %}{{ x | size }}', '2'],
  ])('stays as it is written: %s', async (template, expected) => {
    expect(await show(template)).toBe(expected)
  })
})

describe('json', () => {
  const menu = { name: '</script><b>&', '<': '\u2028\u2029', count: 2.5, list: [null, true] }
  const written =
    '{"name":"\\u003c/script\\u003e\\u003cb\\u003e\\u0026","\\u003c":"\\u2028\\u2029","count":2.5,"list":[null,true]}'

  it.each(['json', 'jsonify'])('writes characters that could end a script as \\u…: %s', async filter => {
    const html = await show(`<script>menu = {{ data.menu | ${filter} | raw }}</script>`, { data: { menu } })
    expect(html).toBe(`<script>menu = ${written}</script>`)
    expect(JSON.parse(html.slice(15, -9))).toEqual(menu)
  })

  it('is escaped like any output without raw', async () => {
    expect(await show('{{ data.text | json }}', { data: { text: '"<' } })).toBe('&#34;\\&#34;\\u003c&#34;')
  })

  it('prints null for a missing value, and can indent', async () => {
    expect(await show('{{ nothing | json }} {{ data.a | json: 1 | raw }}', { data: { a: [1] } })).toBe(
      'null [\n 1\n]',
    )
    expect(await show('{{ 1 | json: "x" }}{{ 1 | json: -1 }}{{ 1 | json: 1000 }}')).toBe('111')
  })
})

/** Values of data, and arguments, that authors did not expect. */
const VALUES = {
  none: null,
  no: false,
  zero: 0,
  minus: -3,
  huge: 1e300,
  tiny: 0.1,
  blank: '',
  percent: '100%',
  words: ' Ünï <b> & "quotes" \\ 💚 ',
  lone: '\ud800',
  digits: '12',
  empty: [],
  mixed: [3, 'a', null, [1], { a: 1 }],
  records: [{ a: 2 }, { a: 'x' }, { b: null }],
  object: { a: 1, size: 2 },
} as const

/** Filters whose second argument is a piece of template. */
const EXPRESSIONS = /_exp$/

describe('no filter fails on ordinary data', () => {
  const names = Object.keys({ ...filters, ...CUSTOM_FILTERS }).filter(name => !EXPRESSIONS.test(name))
  const values = Object.keys(VALUES)

  it.each(names)('%s', async name => {
    const calls = values.flatMap(value => [
      `{{ data.${value} | ${name} }}`,
      ...values.flatMap(argument => [
        `{{ data.${value} | ${name}: data.${argument} }}`,
        `{{ data.${value} | ${name}: data.${argument}, data.${value} }}`,
      ]),
    ])
    expect(await renderIn(renderer, calls.join('\n'), { data: VALUES })).toMatchObject({ ok: true })
  })
})

describe('results that were found by comparing generated templates with Ruby', () => {
  const data = { rows: [{ a: 1 }], list: [1, 2] }

  it.each([
    ['{{ data.rows | strip | raw }}', '{"a":1}'],
    ['{{ data.rows | upcase | raw }}', '{"A":1}'],
    ['{{ data.rows | replace_first: "a", "b" | raw }}', '{"b":1}'],
    ['{% if 1 <> 2 %}yes{% endif %}{% if 1 <> 1 %}no{% endif %}', 'yes'],
    ['{% if "a" < data.list or "a" >= data.list %}no{% endif %}', ''],
    ['{% if 7 >= true or false < 2.5 or nil < 1 or nil >= 0 %}no{% endif %}', ''],
    ['{% if 2 < 10 and "a" < "b" and 2.0 >= 2 %}yes{% endif %}', 'yes'],
  ])('%s → %s', async (template, expected) => {
    expect(await show(template, { data })).toBe(expected)
  })
})
