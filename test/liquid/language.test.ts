import { describe, expect, it } from 'vitest'
import { sharedRenderer } from '../support/renderer.ts'
import { htmlOf, renderIn, type Trial } from './site.ts'

const renderer = sharedRenderer()

async function show(html: string, trial?: Trial): Promise<string> {
  return htmlOf(await renderIn(renderer, html, trial))
}

type Row = [template: string, expected: string, trial?: Trial]

function table(name: string, rows: Row[]): void {
  describe(`language: ${name}`, () => {
    it.each(rows)('%s → %s', async (template, expected, trial) => {
      expect(await show(template, trial)).toBe(expected)
    })
  })
}

const DISHES = {
  data: {
    dishes: [
      { name: 'Soup', price: 4.5, tags: ['hot', 'vegan'] },
      { name: 'Fish & Chips', price: 9, tags: ['hot'] },
      { name: 'Ice', price: 3, tags: [] },
    ],
    'weekly-todo': { done: 2, 'left-over': 'tea' },
    text: '<b>bold</b>',
    one: 1,
    no: null,
    proto: JSON.parse('{"__proto__": {"x": 1}, "constructor": "mine", "k": 2}'),
  },
}

table('the variables of a page', [
  ['{{ space.name }}|{{ space.subdomain }}|{{ space.url }}', 'Salt &amp; Pepper|salt|https://salt.example'],
  ['{{ page.slug }} {{ page.url }}', 'menu https://salt.example/menu'],
  [
    '{% for p in pages %}{{ p.slug }}={{ p.url }};{% endfor %}',
    'a=u1;b=u2;',
    {
      pages: [
        { slug: 'a', url: 'u1' },
        { slug: 'b', url: 'u2' },
      ],
    },
  ],
  [
    '{% for f in files %}{{ f.name }} {{ f.contentType }} {{ f.size }} {{ f.url }}{% endfor %}',
    'a.png image/png 3 https://x',
    { files: [{ name: 'a.png', contentType: 'image/png', size: 3, url: 'https://x' }] },
  ],
  ['{{ data.dishes[0].name }} {{ data.dishes.first.name }} {{ data.dishes.size }}', 'Soup Soup 3', DISHES],
  ['{{ data["weekly-todo"].done }} {{ data.weekly-todo.left-over }}', '2 tea', DISHES],
  ['{% assign key = "weekly-todo" %}{{ data[key].done }}', '2', DISHES],
  ['{{ data.one | plus: 1 }}', '2', DISHES],
  [
    '{{ space | json | raw }}',
    '{"name":"Salt \\u0026 Pepper","subdomain":"salt","url":"https://salt.example"}',
  ],
  ['{{ page | json | raw }}', '{"slug":"menu","url":"https://salt.example/menu"}'],
  ['{{ data.weekly-todo | json | raw }}', '{"done":2,"left-over":"tea"}', DISHES],
])

table('unknown names are empty', [
  ['[{{ nobody }}]', '[]'],
  ['[{{ nobody.knows.this[3] }}]', '[]'],
  ['[{{ data.nothing | upcase }}]', '[]', DISHES],
  ['[{{ data.no }}]', '[]', DISHES],
  ['{% if nobody %}yes{% else %}no{% endif %}', 'no'],
  ['{% for x in nobody %}x{% else %}none{% endfor %}', 'none'],
  ['[{{ page.id }}{{ page.html }}{{ page.kind }}]', '[]'],
  ['[{{ parts }}{{ settings }}{{ process }}{{ globalThis }}]', '[]'],
])

table('prototypes are unreachable', [
  ['[{{ data.constructor }}{{ data.__proto__ }}{{ data.toString }}{{ data.hasOwnProperty }}]', '[]', DISHES],
  ['[{{ space.constructor.name }}{{ "x".constructor }}{{ pages.map }}{{ pages.__proto__ }}]', '[]'],
  ['[{{ constructor }}{{ __proto__ }}{{ toString }}{{ valueOf }}]', '[]'],
  [
    '{% for i in (1..1) %}[{{ forloop.constructor }}{{ forloop.__proto__ }}{{ forloop.next }}]{% endfor %}',
    '[]',
  ],
  ['[{{ empty.equals }}{{ blank.constructor }}{{ nil.valueOf }}]', '[]'],
  ['{{ data.proto.__proto__.x }}{{ data.proto.constructor }}{{ data.proto.k }}', '1mine2', DISHES],
  ['{% block __proto__ %}a{% endblock %}{% block constructor %}b{% endblock %}', 'ab'],
  ['[{{ pages | map: "constructor" }}{{ space | map: "__proto__" }}]', '[]'],
  ['[{{ "x" | constructor }}{{ "x" | __proto__ }}]', '[xx]'],
])

table('output is escaped', [
  ['{{ data.text }}', '&lt;b&gt;bold&lt;/b&gt;', DISHES],
  ['{{ data.text | raw }}', '<b>bold</b>', DISHES],
  ['{{ "it\'s" }}{{ \'"\' }}', 'it&#39;s&#34;'],
  ['{{ data.text | upcase }}', '&lt;B&gt;BOLD&lt;/B&gt;', DISHES],
  // Only the last filter decides. Text that a filter made from raw text is escaped.
  ['{{ data.text | raw | upcase }}', '&lt;B&gt;BOLD&lt;/B&gt;', DISHES],
  ['{{ data.text | upcase | raw }}', '<B>BOLD</B>', DISHES],
  ['{{ data.text | raw | append: "" }}', '&lt;b&gt;bold&lt;/b&gt;', DISHES],
  ['{% echo data.text | raw | upcase %}', '&lt;B&gt;BOLD&lt;/B&gt;', DISHES],
  ['{% assign t = data.text | raw %}{{ t }}', '&lt;b&gt;bold&lt;/b&gt;', DISHES],
  ['{% assign t = data.text | raw | upcase %}{{ t }}', '&lt;B&gt;BOLD&lt;/B&gt;', DISHES],
  ['{% echo data.text %}{% echo data.text | raw %}', '&lt;b&gt;bold&lt;/b&gt;<b>bold</b>', DISHES],
  ['{% cycle "<a>", "b" %}', '&lt;a&gt;'],
  ['{% liquid\n echo data.text\n%}', '&lt;b&gt;bold&lt;/b&gt;', DISHES],
  ['{{ data.text | split: "b" }}', '&lt;&gt;bold&lt;/&gt;'.replace('bold', 'old'), DISHES],
  ['{{ data.text | escape }}', '&lt;b&gt;bold&lt;/b&gt;', DISHES],
  ['{{ "&copy; &AMP; &#8364; & <" | escape_once }}', '&copy; &AMP; &#8364; &amp; &lt;'],
  ['{{ "💚 green 🌲" | first }}{{ "💚 green 🌲" | last }}{{ "ab" | last }}{{ "" | last }}', '💚🌲b'],
  ['{{ data.text | escape | upcase }}', '&LT;B&GT;BOLD&LT;/B&GT;', DISHES],
  ['{% assign e = data.text | escape %}{{ e }}', '&lt;b&gt;bold&lt;/b&gt;', DISHES],
  ['{{ "a &amp; b &" | escape_once }}', 'a &amp; b &amp;'],
  ['{{ data.text | escape | escape }}', '&amp;lt;b&amp;gt;bold&amp;lt;/b&amp;gt;', DISHES],
  ['{{ "<1>\n2" | newline_to_br }}', '&lt;1&gt;<br />\n2'],
  ['{{ "<1>\n2" | escape | newline_to_br }}', '&lt;1&gt;<br />\n2'],
  ['{{ "<1>\n2" | newline_to_br | raw }}', '<1><br />\n2'],
  ['{{ "<p>a</p>" | strip_html }}', 'a'],
  ['{{ data.text | json }}', '&#34;\\u003cb\\u003ebold\\u003c/b\\u003e&#34;', DISHES],
])

table('captured text is not escaped again', [
  ['{% capture c %}<i>{{ data.text }}</i>{% endcapture %}{{ c }}', '<i>&lt;b&gt;bold&lt;/b&gt;</i>', DISHES],
  ['{% capture c %}<i>x</i> {% endcapture %}{{ c | strip }}', '<i>x</i>'],
  ['{% capture c %}<i>{% endcapture %}{{ c | append: "<u>" }}', '<i>&lt;u&gt;'],
  ['{% capture c %}<i>{% endcapture %}{{ "<u>" | append: c }}', '&lt;u&gt;<i>'],
  ['{% capture c %}<i>{% endcapture %}{{ c | escape }}', '&lt;i&gt;'],
  ['{% capture c %}<i>{% endcapture %}{% assign d = c %}{{ d }}', '<i>'],
  [
    '{% capture c %}a,&,b{% endcapture %}{% assign l = c | split: "," %}{% for x in l %}{{ x }} {% endfor %}',
    'a & b ',
  ],
  ['{% capture c %}{{ "&" }},b{% endcapture %}{{ c | split: "," | join: "<" }}', '&amp;&lt;b'],
  [
    '{% capture c %}a{% endcapture %}{% if c == "a" %}same{% endif %}{% if c contains "a" %} in{% endif %}',
    'same in',
  ],
  [
    '{% capture c %}  {% endcapture %}{% if c == blank %}blank{% endif %}{% if c != empty %} full{% endif %}',
    'blank full',
  ],
  [
    '{% capture c %}{% endcapture %}{% if c == empty %}empty{% endif %}{{ c | default: "none" }}',
    'emptynone',
  ],
  ['{% capture c %}<i>{% endcapture %}{{ c | default: "none" }}', '<i>'],
  ['{% capture c %}weekly-todo{% endcapture %}{{ data[c].done }}', '2', DISHES],
  ['{% capture c %}b{% endcapture %}{% case c %}{% when "b" %}yes{% endcase %}', 'yes'],
  ['{% capture c %}abc{% endcapture %}{{ c.size }} {{ c | size }}', '3 3'],
  ['{% capture c %}<i>{% endcapture %}{% render "p", v: c %}', '<i>', { parts: { p: '{{ v }}' } }],
  ['{% capture p %}part-1{% endcapture %}{% render p %}', 'one', { parts: { 'part-1': 'one' } }],
])

const PARTS: Trial = {
  parts: {
    cell: '[{{ value }}]',
    spy: '[{{ space.name }}{{ data.one }}{{ page.slug }}{{ secret }}{{ given }}]',
    'with-hyphen_1': 'hyphen',
    item: '{{ item }}{{ forloop.index }}',
    nested: '{% render "cell", value: value %}',
    setter: '{% assign changed = "yes" %}',
    frame: '<main>{% block content %}default{% endblock %}</main>{% block foot %}foot{% endblock %}',
    outer: '<html>{% block body %}{% endblock %}</html>',
    inner: '{% layout "outer" %}{% block body %}<b>{% block content %}{% endblock %}</b>{% endblock %}',
  },
  data: { one: 1 },
}

table('parts', [
  ['{% render "cell", value: 1 %}{% render \'cell\' value: 2 %}', '[1][2]', PARTS],
  ['{% assign secret = 1 %}{% render "spy", given: 2 %}', '[2]', PARTS],
  ['{% assign secret = 1 %}{% include "spy", given: 2 %}', '[Salt &amp; Pepper1menu12]', PARTS],
  ['{% render "with-hyphen_1" %}{% include "with-hyphen_1" %}', 'hyphenhyphen', PARTS],
  ['{% assign which = "cell" %}{% render which, value: 3 %}{% include which, value: 4 %}', '[3][4]', PARTS],
  ['{% assign n = "1" %}{% render "with-hyphen_{{ n }}" %}', 'hyphen', PARTS],
  ['{% assign list = "a,b" | split: "," %}{% render "item" for list as item %}', 'a1b2', PARTS],
  ['{% render "cell" with data.one as value %}', '[1]', PARTS],
  ['{% assign list = "a,b" | split: "," %}{% render "item" for list %}', 'a1b2', PARTS],
  ['{% render "nested", value: "<" %}', '[&lt;]', PARTS],
  ['{% render "setter" %}[{{ changed }}]{% include "setter" %}[{{ changed }}]', '[][yes]', PARTS],
])

/** A layout `l` that includes the part `p` before its block `a`. */
const including = (p: string): Trial => ({
  parts: { p, l: '{% include "p" %}{% block a %}own{% endblock %}' },
})

table('layouts', [
  ['{% layout "frame" %}{% block content %}mine{% endblock %}', '<main>mine</main>foot', PARTS],
  ['{% layout "frame" %}', '<main>default</main>foot', PARTS],
  // A part that a layout includes neither takes nor loses the blocks of the page.
  ['{% layout "l" %}{% block a %}mine{% endblock %}', '<i>nav</i>mine', including('<i>nav</i>')],
  [
    '{% layout "l" %}{% block a %}mine{% endblock %}',
    'partmine',
    including('{% block a %}part{% endblock %}'),
  ],
  [
    '{% layout "l" %}{% capture c %}{% include "p" %}{% endcapture %}{% block a %}{{ c }}{% endblock %}',
    'xx',
    including('{% block a %}x{% endblock %}'),
  ],
  ['{% layout "l" %}{% include "p" %}', 'xown', including('{% block a %}x{% endblock %}')],
  [
    '{% layout "frame" %}{% block content %}<{{ block.super }}>{% endblock %}',
    '<main><default></main>foot',
    PARTS,
  ],
  [
    '{% layout "frame" %}{% block foot %}{{ block.super }}{{ block.super }}{% endblock %}',
    '<main>default</main>footfoot',
    PARTS,
  ],
  ['{% layout "inner" %}{% block content %}x{% endblock %}', '<html><b>x</b></html>', PARTS],
  [
    '{% layout "lay-out" %}{% block side-bar %}1{% endblock %}{% block side-nav %}2{% endblock %}',
    '1|2',
    {
      parts: { 'lay-out': '{% block side-bar %}{% endblock %}|{% block side-nav %}{% endblock %}' },
    },
  ],
  [
    '{% layout "esc" %}{% block a %}{{ block.super }}{% endblock %}',
    '<i>&lt;',
    {
      parts: { esc: '{% block a %}<i>{{ "<" }}{% endblock %}' },
    },
  ],
  ['{% assign l = "frame" %}{% layout l %}{% block content %}v{% endblock %}', '<main>v</main>foot', PARTS],
])

table('tags', [
  [
    '{% for d in data.dishes %}{{ forloop.index }}/{{ forloop.length }}{% unless forloop.last %},{% endunless %}{% endfor %}',
    '1/3,2/3,3/3',
    DISHES,
  ],
  [
    '{% for i in (1..5) limit: 2 offset: 1 %}{{ i }}{% endfor %}{% for i in (1..3) reversed %}{{ i }}{% endfor %}',
    '23321',
  ],
  [
    '{% for i in (1..9) %}{% if i == 3 %}{% continue %}{% endif %}{% if i > 4 %}{% break %}{% endif %}{{ i }}{% endfor %}',
    '124',
  ],
  [
    '{% for i in (1..2) %}{% for j in (1..2) %}{{ forloop.parentloop.index }}{{ forloop.index }} {% endfor %}{% endfor %}',
    '11 12 21 22 ',
  ],
  [
    '{% for pair in data.weekly-todo %}{{ pair[0] }}={{ pair[1] }};{% endfor %}',
    'done=2;left-over=tea;',
    DISHES,
  ],
  ['{% case data.one %}{% when 2, 1 %}hit{% else %}miss{% endcase %}', 'hit', DISHES],
  ['{% case data.nothing %}{% when 2, nil %}hit{% else %}miss{% endcase %}', 'hit', DISHES],
  ['{% case nil %}{% when data.nothing %}hit{% else %}miss{% endcase %}', 'hit', DISHES],
  ['{% case data.one %}{% when data.nothing, nil %}hit{% else %}miss{% endcase %}', 'miss', DISHES],
  ['{% if data.one == 1 and data.no == nil or false %}a{% elsif true %}b{% endif %}', 'a', DISHES],
  ['{% unless false %}a{% else %}b{% endunless %}', 'a'],
  ['{% increment n %}{% increment n %}{% decrement m %}', '01-1'],
  ['{% cycle "a", "b" %}{% cycle "a", "b" %}{% cycle "a", "b" %}', 'aba'],
  ['{% raw %}{{ x }}{% if %}{% endraw %}', '{{ x }}{% if %}'],
  ['a{% comment %}{{ x }}{% render "none" %}{% endcomment %}b', 'ab'],
  ['a{% doc %} @param {string} x {% enddoc %}b', 'ab'],
  ['a{% # a note %}{%- # more\n # lines\n\n -%}b', 'ab'],
  ['{% for i in (1..4) %}{% ifchanged %}{{ i | divided_by: 2 }}{% endifchanged %}{% endfor %}', '012'],
  ['{% if true %} {% liquid echo "a" %} {% endif %}', ' a '],
  ['{% if true %} {% liquid assign x = 3 %} {% endif %}.', '.'],
  ['{% liquid\n assign x = 3\n if x > 2\n  echo "big"\n endif\n# note\n%}', 'big'],
  ['  {%- assign x = 1 -%}  {{- x -}}  !', '1!'],
  ['{% for i in (3..1) %}x{% else %}none{% endfor %}{% for i in ("a".."b") %}{{ i }}{% endfor %}', 'none0'],
  ['{% assign a = "1,2,3" | split: "," %}{{ a[-1] }}{{ a.last }}{{ a | first }}', '331'],
  ['{% if "" %}t{% endif %}{% if 0 %}t{% endif %}{% if nil %}f{% endif %}', 'tt'],
])

table('filters', [
  [
    '{{ 20 | divided_by: 7 }} {{ 20 | divided_by: 7.0 }} {{ 7.5 | divided_by: 2 }} {{ -7 | divided_by: 2 }}',
    '2 2.857142857142857 3.75 -4',
  ],
  ['{% assign f = 7 | times: 1.0 %}{{ 20 | divided_by: f }} {{ f }}', '2.857142857142857 7'],
  [
    '{{ 4 | plus: 2 }} {{ 4 | minus: 2 }} {{ 3 | times: 4 }} {{ 24 | modulo: 7 }} {{ -7 | abs }} {{ 1.2 | ceil }} {{ 1.9 | floor }} {{ 2.5 | round }} {{ 3.14159 | round: 2 }}',
    '6 2 12 3 7 2 1 3 3.14',
  ],
  ['{{ 4 | at_least: 5 }} {{ 4 | at_most: 3 }}', '5 3'],
  [
    '{{ "a-b" | replace: "-", "+" }} {{ "aaa" | replace_first: "a", "b" }} {{ "aXa" | remove: "a" }}',
    'a+b baa X',
  ],
  [
    '{{ "one two three" | truncatewords: 2 }}|{{ "one two" | truncatewords: 2 }}|{{ "abcdef" | truncate: 5 }}',
    'one two...|one two|ab...',
  ],
  ['{{ "Hello" | slice: 1, 3 }} {{ "Hello" | slice: -2, 2 }} {{ "hello" | capitalize }}', 'ell lo Hello'],
  ['{{ data.dishes | map: "name" | join: ", " }}', 'Soup, Fish &amp; Chips, Ice', DISHES],
  [
    '{{ data.dishes | sort: "price" | map: "name" | first }} {{ data.dishes | sum: "price" }}',
    'Ice 16.5',
    DISHES,
  ],
  ['{{ data.dishes | where: "price", 9 | map: "name" | first }}', 'Fish &amp; Chips', DISHES],
  ['{{ "b,a,b" | split: "," | uniq | sort | join: "" }} {{ "1,2" | split: "," | reverse | join }}', 'ab 2 1'],
  ['{{ "a b" | url_encode }} {{ "a+b" | url_decode }} {{ "x" | prepend: "y" }}', 'a+b a b yx'],
  ['{{ "~~??" | base64_encode }} {{ "fn4/Pw==" | base64_decode }}', 'fn4/Pw== ~~??'],
  [
    '{{ "~~??>" | base64_url_safe_encode }} {{ "fn4_Pz4=" | base64_url_safe_decode | raw }}',
    'fn4_Pz4= ~~??>',
  ],
  [
    '{{ nil | default: "d" }} {{ false | default: true }} {{ false | default: true, allow_false: true }}',
    'd true false',
  ],
  ['{{ "x" | unknown_filter: 1 }}', 'x'],
  ['{{ data.dishes | compact | size }} {{ "abc" | size }} {{ 5 | size }}', '3 3 0', DISHES],
  [
    '{{ "Ground control" | downcase }} {{ "  a " | lstrip }}|{{ " a  b " | squish }}',
    'ground control a |a b',
  ],
])

table('dates are in UTC', [
  ['{{ "2024-03-05T10:20:30+09:00" | date: "%Y-%m-%d %H:%M" }}', '2024-03-05 01:20'],
  ['{{ "2024-03-05 10:20" | date: "%Y-%m-%d %H:%M %z %Z" }}', '2024-03-05 10:20 +0000 UTC'],
  ['{{ 0 | date: "%a, %b %d, %y %-d %e %j" }}', 'Thu, Jan 01, 70 1  1 001'],
  ['{{ "2024-03-05T00:00:00Z" | date: "%A %B" }} {{ "nonsense" | date: "%Y" }}', 'Tuesday March nonsense'],
  [
    '{% assign days = "2024-03-05,2024-09-07,2024-03-05" | split: "," %}{% for day in days %}{{ day | date: "%a %A %b %B; " }}{% endfor %}',
    'Tue Tuesday Mar March; Sat Saturday Sep September; Tue Tuesday Mar March; ',
  ],
  [
    '{% assign days = "2024-01-05 10:20,2024-07-05 10:20" | split: "," %}{% for day in days %}{{ day | date: "%H:%M %z, ", "Europe/Berlin" }}{{ day | date: "%d %H:%M; ", "Asia/Tokyo" }}{% endfor %}',
    '11:20 +0100, 05 19:20; 12:20 +0200, 05 19:20; ',
  ],
  ['{{ "2024-03-05T12:00:00Z" | date_to_xmlschema }}', '2024-03-05T12:00:00+00:00'],
])

describe('the title and description of a document', () => {
  it('are returned with the page, with character references decoded', async () => {
    const html =
      '<!-- <title>no</title> --><script>"<title>no</title>"</script><title>\n {{ space.name }} </title>'
    const result = await renderIn(
      renderer,
      `${html}<META NAME=Description content="a &quot;b&quot;"><title>second</title>`,
    )
    const metas = [{ key: 'name', name: 'description', content: 'a "b"' }]
    expect(result).toMatchObject({ ok: true, head: { title: 'Salt & Pepper', metas } })
  })

  it('are returned as the title `null` and an empty list of `meta` elements if the document has neither', async () => {
    expect(await renderIn(renderer, '<p>x')).toMatchObject({ head: { title: null, metas: [] } })
  })
})

describe('a static page', () => {
  it('is sanitized after evaluation, so a template cannot assemble a script from pieces', async () => {
    const html = await show('<p {{ "onclick=x" | raw }}>a</p>{{ "<script>1</script>" | raw }}', {
      kind: 'static',
    })
    expect(html).toContain('<p>a</p>')
    expect(html).not.toMatch(/script|onclick/)
  })
})
