import { describe, expect, it } from 'vitest'
import { sharedRenderer } from '../support/renderer.ts'
import { htmlOf, renderIn, requestFor, type Trial } from './site.ts'

// Templates that authors with experience in Shopify or Jekyll would write.

const renderer = sharedRenderer()

type Row = [template: string, expected: string, trial?: Trial]

function table(name: string, rows: Row[]): void {
  describe(`idioms: ${name}`, () => {
    it.each(rows)('%s → %s', async (template, expected, trial) => {
      expect(htmlOf(await renderIn(renderer, template, trial))).toBe(expected)
    })
  })
}

const SHOP: Trial = {
  data: {
    goods: [
      { name: 'Tea', kind: 'drink', price: 4.5, sold: true, maker: { name: 'Ana' } },
      { name: 'Cup', kind: 'thing', price: 9, sold: false },
      { name: 'Jam', kind: 'food', price: 3, sold: null },
      { name: 'Juice', kind: 'drink', price: 2 },
    ],
    nested: [1, [2, [3]]],
    words: ['rose', 'tulip', 'primrose'],
    gaps: [{ name: 'a' }, null, 'text', 5],
    prices: { tea: 4.5, jam: 3 },
    nothing: {},
    none: null,
    emoji: '👩🍞ok',
    twins: [{ name: 'a' }, { name: 'a' }, { name: 'b' }],
  },
  parts: {
    card: '[{{ card.name }}|{{ good.name }}]',
    both: '{{ both.name }}{{ extra }};',
    loop: '{{ forloop.index }}{% for i in (1..2) %}{{ forloop.parentloop.index }}{{ forloop.index }}{% endfor %} ',
  },
}

table('numbers', [
  ['{{ 9.0 | divided_by: 2 }} {{ 9 | divided_by: 2.0 }} {{ 9 | divided_by: 2 }}', '4.5 4.5 4'],
  ['{% assign n = 9.0 %}{{ n | divided_by: 2 }} {{ "9.0" | divided_by: 2 }}', '4.5 4.5'],
  ['{{ 9 | times: 1.0 | divided_by: 2 }} {{ 9 | plus: 0.5 | minus: 0.5 | divided_by: 2 }}', '4.5 4.5'],
  ['{{ 0.1 | plus: 0.2 }} {{ 10.1 | minus: 2.2 }} {{ 1.1 | times: 1.1 }}', '0.3 7.9 1.21'],
  ['{{ 0.3 | divided_by: 0.1 }} {{ 10.1 | modulo: 7.0 }} {{ -7 | modulo: 3 }}', '3 3.1 2'],
  ['{{ 12345678901.25 | plus: 0.0001 }} {{ 1 | divided_by: 3.0 }}', '12345678901.2501 0.3333333333333333'],
  ['{{ "12 apples" | plus: 1 }} {{ "x" | plus: 1 }} {{ nil | plus: 1 }}', '13 1 1'],
  ['{{ 5.0 }} {{ 5.0 | plus: 1 }} {% if 5.0 == 5 %}same{% endif %}', '5 6 same'],
  ['{{ data.goods | sum: "price" }} {{ data.nested | sum }}', '18.5 6', SHOP],
  ['{{ 5.666 | round: 1.2 }} {{ -3.5 | abs }} {{ 4.2 | at_most: 4 }}', '5.7 3.5 4'],
  ['{% for i in (1..5) limit: 2.0 %}{{ i }}{% endfor %}', '12'],
])

table('objects', [
  ['{{ data.prices | size }} {{ data.prices.size }} {{ data.nothing | size }}', '2 2 0', SHOP],
  ['{{ data.nothing | default: "empty" }} {{ data.none | default: "nil" }}', 'empty nil', SHOP],
  ['{{ data.prices | first | join: "=" }} {{ data.prices.first[0] }}', 'tea=4.5 tea', SHOP],
  [
    '{% if data.prices contains "tea" %}yes{% endif %}{% if data.prices contains "rum" %}no{% endif %}',
    'yes',
    SHOP,
  ],
  ['{{ data.prices | raw }} {{ data.nothing }}', '{"tea":4.5,"jam":3} {}', SHOP],
  ['[{% for i in (1..1) %}{% tablerow x in data.none %}{% endtablerow %}{% endfor %}]', '[]', SHOP],
])

table('comments and raw text', [
  ["a{% comment %} it's {{ open {% if %} {% don't %} {% endcomment %}b", 'ab'],
  ['a{% comment %} {% comment %} inner {% endcomment %} {{ x }} {% endcomment %}b', 'ab'],
  ['a{% comment %}{% raw %}{% endcomment %}{% endraw %}{% endcomment %}b', 'ab'],
  ["a{% doc %} it's {% if %} {{ open {% assign x = {% enddoc %}b", 'ab'],
  ['a{% doc %} {% raw %} {% doc %} {% enddoc %} {% enddoc %}b', 'ab'],
  ['a {%- comment -%} x {%- endcomment -%} b', 'ab'],
  ['{% liquid\n comment\n comment\n echo 1\n endcomment\n echo 2\n endcomment\n echo 3\n%}', '3'],
  ['a {%- raw -%} {{ x }} {%- endraw -%} b', 'a {{ x }} b'],
  ['{% raw %}{% comment %}{% endraw %}{{ 1 }}', '{% comment %}1'],
  ['{%raw%}{{ a }}{% end %}{%endraw%}', '{{ a }}{% end %}'],
])

table('blocks without anything to print', [
  ['[{% if true %}  {% elsif 1 %} {% else %} {% endif %}]', '[]'],
  ['[{% if true %}\n {% assign x = 1 %}\n{% endif %}]{{ x }}', '[]1'],
  ['[{% for i in (1..3) %}\n {% capture c %}{{ i }}{% endcapture %}\n{% endfor %}]{{ c }}', '[]3'],
  ['[{% unless false %} {% if true %} {% comment %}x{% endcomment %} {% endif %} {% endunless %}]', '[]'],
  ['[{% case 1 %} {% when 1 %} {% assign x = 2 %} {% endcase %}]{{ x }}', '[]2'],
  ['[{% if true %} {% liquid\n assign x = 3\n%} {% endif %}]{{ x }}', '[]3'],
  ['[{% if true %} a {% endif %}{% if true %} {{ nil }} {% endif %}]', '[ a   ]'],
  ['[{% if true %} {% if true %}x{% endif %} {% endif %}]', '[ x ]'],
  ['{% capture c %}  {% endcapture %}[{{ c }}]', '[  ]'],
])

table('selecting from lists', [
  ['{{ data.goods | where: "kind", "drink" | map: "name" | join }}', 'Tea Juice', SHOP],
  [
    '{{ data.goods | where: "sold" | map: "name" }} {{ data.goods | where: "sold", nil | size }}',
    'Tea 1',
    SHOP,
  ],
  ['{{ data.goods | reject: "kind", "drink" | map: "name" | join }}', 'Cup Jam', SHOP],
  ['{{ data.goods | reject: "sold" | map: "name" | join }}', 'Cup Jam Juice', SHOP],
  ['{% assign g = data.goods | find: "kind", "food" %}{{ g.name }}', 'Jam', SHOP],
  ['{{ data.goods | find_index: "kind", "food" }}[{{ data.goods | find_index: "kind", "x" }}]', '2[]', SHOP],
  [
    '{{ data.goods | has: "price", 9 }} {{ data.goods | has: "price", 10 }} {{ nil | has: "x" }}',
    'true false false',
    SHOP,
  ],
  [
    '{{ data.goods | where: "maker.name", "Ana" | size }} {{ data.goods | map: "maker.name" | compact }}',
    '1 Ana',
    SHOP,
  ],
  ['{{ data.words | where: "rose" | join }} {{ data.words | reject: "rose" }}', 'rose primrose tulip', SHOP],
  ['{{ data.goods | uniq: "kind" | map: "name" | join }}', 'Tea Cup Jam', SHOP],
  ['{{ data.goods | compact: "sold" | map: "name" | join }}', 'Tea Cup', SHOP],
  ['{{ data.gaps | where: "name" | size }} {{ data.gaps | map: "name" | join: "-" }}', '1 a---', SHOP],
  ['{{ data.nested | join: "," }} {{ data.nested | concat: data.words | size }}', '1,2,3 6', SHOP],
  ['{% assign twice = data.goods | concat: data.goods | uniq %}{{ twice.size }}', '4', SHOP],
  ['{{ data.twins | uniq | map: "name" | join }}', 'a b', SHOP],
  [
    '{% if data.words contains nil %}no{% endif %}{% if data.words contains "rose" %}yes{% endif %}',
    'yes',
    SHOP,
  ],
])

table('strings', [
  ['{{ " a b\n c  " | split: " " | join: "," }} {{ "a  b" | split: "  " | join: "," }}', 'a,b,c a,b'],
  ['{{ "héy" | split: "" | join: "-" }} {{ "abc" | replace: "", "-" }}', 'h-é-y -a-b-c-'],
  ['{{ data.emoji | size }} {{ data.emoji.size }} {{ data.emoji | split: "" | size }}', '4 4 4', SHOP],
  ['{{ "a,b" | split: "," | join: nothing }} {{ "2024-03-05" | date: "" }}', 'ab 2024-03-05'],
  ['{{ "one two three" | truncatewords: 2, "" }} {{ "abcdef" | truncate: 3, nothing }}', 'one two abc'],
  ['{{ "bob@example.com!*\'()~" | url_encode }}', 'bob%40example.com%21%2A%27%28%29~'],
  ['{{ false | default: allow_false: true, "x" }} {{ false | default: allow_false: false, "x" }}', 'false x'],
])

table('comparisons', [
  [
    '{% if nil == blank %}a{% endif %}{% if blank == nil %}b{% endif %}{% if nil != blank %}c{% endif %}',
    'ab',
  ],
  [
    '{% if data.none == blank %}a{% endif %}{% if "" == blank %}b{% endif %}{% if " " == blank %}c{% endif %}',
    'abc',
    SHOP,
  ],
  ['{% if data.nothing == empty %}a{% endif %}{% if data.none == empty %}b{% endif %}', 'a', SHOP],
])

table('tags', [
  [
    '{% include "card" with data.goods[1] as good %}{% include "card" with data.goods[0] %}',
    '[|Cup][Tea|]',
    SHOP,
  ],
  ['{% include "card" for data.goods as good %}', '[|Tea][|Cup][|Jam][|Juice]', SHOP],
  ['{% include "both" for data.goods, extra: "!" %}', 'Tea!;Cup!;Jam!;Juice!;', SHOP],
  ['{% include "both" for data.none %}[]', '[]', SHOP],
  ['{% render "loop" for data.nested %}', '112 212 ', SHOP],
  ['{% for g in data.nested %}{% include "loop" %}{% endfor %}', '11112 22122 ', SHOP],
  ['{% cycle "a": 1, 2, 3 %}{% cycle "a": 7, 8, 9 %}{% cycle "a": 1, 2, 3 %}{% cycle 1, 2, 3 %}', '1831'],
  [
    '{% tablerow i in (1..3) cols: 2 %}{{ i }}{% endtablerow %}',
    '<tr class="row1">\n<td class="col1">1</td><td class="col2">2</td></tr>\n<tr class="row2"><td class="col1">3</td></tr>\n',
  ],
  [
    '{% tablerow i in (1..9) cols: 2 %}{{ i }}{% if i == 3 %}{% break %}{% endif %}{% continue %}x{% endtablerow %}!',
    '<tr class="row1">\n<td class="col1">1</td><td class="col2">2</td></tr>\n<tr class="row2"><td class="col1">3</td></tr>\n!',
  ],
  [
    '{% tablerow p in data.prices limit: "1" %}{{ p[0] }}{{ tablerowloop.last }}{{ tablerowloop.rindex }}{% endtablerow %}',
    '<tr class="row1">\n<td class="col1">teatrue1</td></tr>\n',
    SHOP,
  ],
])

describe('a value that a filter cannot work with', () => {
  it.each([
    ['{{ 1 | divided_by: 0 }}', 'divided by 0'],
    ['{{ 1.5 | divided_by: 0.0 | plus: 1 }}', 'divided by 0'],
    ['{{ 1 | divided_by: nothing }}', 'divided by 0'],
    ['{{ 1 | modulo: 0 }}', 'divided by 0'],
    ['{% for i in (1..1) %}{{ 1 | modulo: 0 }}{% endfor %}', 'divided by 0'],
    ['{{ "a" | base64_decode }}', 'invalid base64 provided to base64_decode'],
    ['{{ "a" | base64_url_safe_decode }}', 'invalid base64 provided to base64_url_safe_decode'],
    ['{{ "%FF" | url_decode }}', 'invalid byte sequence in UTF-8'],
  ])('shows an error in its place, and the rest of the page as usual: %s', async (template, message) => {
    expect(htmlOf(await renderIn(renderer, `a\n${template}{{ x }}!`))).toBe(`a\nLiquid error: ${message}!`)
  })

  it('leaves a variable empty, without an error on the page', async () => {
    const request = requestFor('a{% assign x = 1 | divided_by: "none" %}[{{ x }}]')
    const result = await renderer.render({ ...request, page: { ...request.page, reviewed: true } })
    expect(result.ok && result.html.toString()).toContain('a[]')
    expect(result.ok && result.review?.hints).toMatchObject([
      { message: expect.stringMatching(/^This variable stays empty \(divided by 0\)\./), line: 1, column: 2 },
    ])
  })

  it('is reported to the author with a position', async () => {
    const parts = { sum: '\n {{ 1 | divided_by: 0 }}' }
    const request = requestFor('{% render "sum" %}{% render "sum" %}', { parts })
    const result = await renderer.render({ ...request, page: { ...request.page, reviewed: true } })
    expect(result.ok && result.review?.hints).toMatchObject([
      {
        message: expect.stringContaining('divided by 0'),
        line: 2,
        column: 2,
        where: { body: 'part', name: 'sum' },
      },
    ])
  })
})

table('two missing values', [
  [
    '{% if nothing == data.n %}a{% endif %}{% if data.n == nothing %}b{% endif %}',
    'ab',
    { data: { n: null } },
  ],
  [
    '{% if nothing != data.n %}a{% elsif data.n <> data.m %}b{% else %}c{% endif %}',
    'c',
    { data: { n: null } },
  ],
  ['{% if data.n == false %}a{% elsif data.n == "" %}b{% else %}c{% endif %}', 'c', { data: { n: null } }],
])

table('truncatewords, which counts white space at the end like a word', [
  [
    '{{ "a b" | truncatewords: 2 }}|{{ " a  b " | truncatewords: 2 }}|{{ " a b " | truncatewords: 3 }}',
    'a b|a b...| a b ',
  ],
  ['{{ "a\u00a0b c" | truncatewords: 1 }}|{{ " " | truncatewords: 1 }}', 'a\u00a0b...| '],
])

// A letter with an accent can be one character or two. A person sees no difference.
table('letters with accents', [
  ['{{ data.l | where: "name", "\u00dcbung" | size }}', '1', { data: { l: [{ name: 'U\u0308bung' }] } }],
  ['{{ data.l | has: "name", "\u00dcbung" }}', 'true', { data: { l: [{ name: 'U\u0308bung' }] } }],
  ['{{ data.l | find_index: "name", "\u00dcbung" }}', '0', { data: { l: [{ name: 'U\u0308bung' }] } }],
  ['{{ data.l | where: "name", "U\u0308bung" | size }}', '1', { data: { l: [{ name: '\u00dcbung' }] } }],
  ['{{ data.l | reject: "name", "U\u0308bung" | size }}', '0', { data: { l: [{ name: '\u00dcbung' }] } }],
  ['{{ data.l | where: "name", "Ubung" | size }}', '0', { data: { l: [{ name: '\u00dcbung' }] } }],
])
