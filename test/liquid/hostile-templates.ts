import { fill, type HostileTemplate, many, SLOW_TO_PARSE } from './hostile-bodies.ts'

/** Returns Liquid that sets the variable `a` to a short string and doubles its length `doublings` times. */
const doubledText = (doublings: number) =>
  `{% assign a = "xxxxxxxx" %}${many(doublings, '{% assign a = a | append: a %}')}`
const doubledList = (doublings: number) =>
  `{% assign a = "x,y" | split: "," %}${many(doublings, '{% assign a = a | concat: a %}')}`
const nestedList = (levels: number) =>
  `{% assign a = "x,y" | split: "," %}${many(levels, '{% assign b = a | concat: a | slice: 0, 0 %}{% assign a = b | push: a | push: a %}')}`
const BIG_LIST = '{% assign a = (1..300000) %}'

const RECORDS = {
  rows: Array.from({ length: 2000 }, (_, at) => ({ n: (at * 7919) % 2003, t: `row ${at}`, l: [1, 2, 3] })),
}

/** Returns objects nested to the given depth. */
function deep(levels: number): unknown {
  return levels === 0 ? 1 : { a: deep(levels - 1) }
}

export const HOSTILE: HostileTemplate[] = [
  ...SLOW_TO_PARSE,
  // loops and ranges
  {
    attempt: 'a loop in a loop',
    html: '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}',
  },
  {
    attempt: 'six nested loops',
    html: `${many(6, '{% for i in (1..300) %}')}x${many(6, '{% endfor %}')}`,
  },
  { attempt: 'a huge range', html: '{% for i in (1..99999999999) %}{% endfor %}' },
  {
    attempt: 'a range beyond 2^53',
    html: '{% for i in (9007199254740992..9007199254740999) %}x{% endfor %}',
  },
  {
    attempt: 'a range below -2^53',
    html: '{% for i in (-9007199254740999..-9007199254740992) %}x{% endfor %}',
  },
  {
    attempt: 'a range to infinity',
    html: '{% assign x = "1e308" | times: 10 %}{% for i in (1..x) %}x{% endfor %}',
  },
  {
    attempt: 'a range whose ends are strings',
    html: '{% assign x = "9007199254740993" %}{% for i in (x..x) %}x{% endfor %}',
  },
  { attempt: 'ranges assigned again and again', html: many(200, `${BIG_LIST}{% assign b = a | reverse %}`) },
  {
    attempt: 'a range in an output',
    html: '{{ (1..4000000) }}{{ (1..4000000) }}{{ (1..4000000) }}{{ (1..4000000) }}',
  },
  {
    attempt: 'a table of a million cells',
    html: '{% tablerow i in (1..3000000) cols: 1 %}x{% endtablerow %}',
  },
  {
    attempt: 'a loop with negative columns',
    html: '{% tablerow i in (1..9999) cols: -1 %}{{ i }}{% endtablerow %}',
  },
  // growing text
  { attempt: 'text appended to itself', html: `${doubledText(40)}{{ a }}` },
  {
    attempt: 'a capture that doubles',
    html: `{% capture a %}xxxxxxxx{% endcapture %}${many(40, '{% capture a %}{{ a }}{{ a }}{% endcapture %}')}{{ a }}`,
  },
  {
    attempt: 'raw captures that double',
    html: `{% capture a %}xxxxxxxx{% endcapture %}${many(40, '{% capture a %}{{ a | raw }}{{ a | raw }}{% endcapture %}')}`,
  },
  {
    attempt: 'replacing each character with a longer string',
    html: `{% assign a = "aaaaaaaaaa" %}${many(12, '{% assign a = a | replace: "a", "aaaaaaaaaa" %}')}`,
  },
  {
    attempt: 'a string split into characters',
    html: `${doubledText(18)}{% assign b = a | split: "" %}{% assign c = a | split: "" %}{{ b | join: a }}`,
  },
  { attempt: 'join with a long separator', html: `${doubledText(14)}${doubledList(14)}{{ a | join: a }}` },
  {
    attempt: 'escaping growing text',
    html: `{% assign a = "&&&&&&&&" %}${many(19, '{% assign a = a | append: a %}')}${many(40, '{{ a }}')}`,
  },
  {
    attempt: 'escaping escapes',
    html: `{% assign a = "&&&&&&&&" %}${many(60, '{% assign a = a | escape | append: "" %}')}{{ a }}`,
  },
  {
    attempt: 'URL-encoding again and again',
    html: `{% assign a = "%%%%" %}${many(40, '{% assign a = a | url_encode %}')}{{ a }}`,
  },
  {
    attempt: 'encoding as Base64 again and again',
    html: `${doubledText(12)}${many(60, '{% assign a = a | base64_encode %}')}{{ a }}`,
  },
  {
    attempt: 'converting newlines to elements again and again',
    html: `{% assign a = "\n\n\n\n" %}${many(20, '{% assign a = a | append: a | newline_to_br %}')}`,
  },
  { attempt: 'JSON of growing text', html: `${doubledText(18)}${many(30, '{% assign a = a | json %}')}` },
  {
    attempt: 'more output than allowed',
    html: '{% for i in (1..5000000) %}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{% endfor %}',
  },
  // growing lists
  { attempt: 'a list concatenated to itself', html: `${doubledList(40)}{{ a | size }}` },
  { attempt: 'lists in lists, printed', html: `${nestedList(60)}{{ a }}` },
  { attempt: 'lists in lists, through a filter', html: `${nestedList(60)}{{ a | upcase }}` },
  { attempt: 'lists in lists, joined', html: `${nestedList(60)}{{ a | join: "" }}` },
  { attempt: 'lists in lists, as json', html: `${nestedList(60)}{{ a | json }}` },
  {
    attempt: 'lists in lists, deduplicated',
    html: `${nestedList(60)}{{ a | uniq | sort | reverse | compact | size }}`,
  },
  {
    attempt: 'lists in lists, compared',
    html: `${nestedList(40)}{% assign c = a | slice: 0, 2 %}{% if a == c %}x{% endif %}`,
  },
  { attempt: 'lists in lists, searched', html: `${nestedList(40)}{% if a contains a %}x{% endif %}` },
  // slow filters
  {
    attempt: 'sorting in a loop',
    html: `${BIG_LIST}{% for i in (1..1000) %}{% assign b = a | reverse | sort %}{% endfor %}`,
  },
  {
    attempt: 'sorting by a deep path',
    html: `{% for i in (1..10000) %}{% assign b = data.rows | sort: "${many(2000, 'a.')}b" %}{% endfor %}`,
    trial: { data: RECORDS },
  },
  {
    attempt: 'mapping a deep path',
    html: `{% for i in (1..10000) %}{% assign b = data.rows | map: "${many(5000, 'a.')}b" %}{% endfor %}`,
    trial: { data: RECORDS },
  },
  {
    attempt: 'where with an expression',
    html: '{% for i in (1..10000) %}{% assign b = data.rows | where_exp: "r", "r.n > 1 and r.t contains 9" %}{% endfor %}',
    trial: { data: RECORDS },
  },
  {
    attempt: 'an expression in an expression',
    html: `{{ data.rows | where_exp: "r", "r.l | where_exp: 'x', 'x | plus: 1' | size" | group_by_exp: "r", "data.rows | map: 't' | join | size" | size }}`,
    trial: { data: RECORDS },
  },
  {
    attempt: 'an expression of 100,000 characters',
    html: `{% assign e = "r.n" %}${many(13, '{% assign e = e | append: " and " | append: e %}')}{% for i in (1..99) %}{% assign b = data.rows | where_exp: "r", e %}{% endfor %}`,
    trial: { data: RECORDS },
  },
  {
    attempt: 'a chain of ten thousand filters',
    html: `{% assign a = (1..50000) %}{{ a ${many(10000, '| sort ')} }}`,
  },
  {
    attempt: 'a chain of cheap filters in a loop',
    html: `{% for i in (1..1000000) %}{{ i ${many(100, '| plus: 1 ')} }}{% endfor %}`,
  },
  {
    attempt: 'a date of a million digits',
    html: '{{ "now" | date: "%99999999d" }}{{ "now" | date: "%999999999N" }}',
  },
  {
    attempt: 'a date format of great length',
    html: `${doubledText(15)}{% assign f = a | replace: "x", "%A%B" %}{{ "now" | date: f }}`,
  },
  {
    attempt: 'formatting many dates in a time zone',
    html: '{% for i in (1..100000) %}{{ "now" | date: "%c", "Asia/Tokyo" }}{% endfor %}',
  },
  {
    attempt: 'counting the words of a long text',
    html: `${doubledText(17)}{% for i in (1..1000) %}{{ a | number_of_words: "cjk" }}{{ a | truncatewords: 2 | size }}{% endfor %}`,
  },
  {
    attempt: 'removing the tags of a long text',
    html: `{% assign a = "<!--<script" %}${many(15, '{% assign a = a | append: a %}')}{% for i in (1..1000) %}{{ a | strip_html | size }}{% endfor %}`,
  },
  {
    attempt: 'trimming the white space of a long text',
    html: `{% assign a = "        " %}${many(16, '{% assign a = a | append: a %}')}{% assign a = a | append: "x" %}{% for i in (1..1000) %}{{ a | squish | strip | size }}{% endfor %}`,
  },
  {
    attempt: 'hashing a long text',
    html: `${doubledText(17)}{% for i in (1..100000) %}{% assign b = a | sha256 %}{% endfor %}`,
  },
  {
    attempt: 'sampling a long text',
    html: `${doubledText(17)}{% for i in (1..1000) %}{% assign b = a | sample: 3 %}{% endfor %}`,
  },
  // parts and blocks
  {
    attempt: 'a part that includes itself through a variable',
    html: '{% assign p = "loop" %}{% include p %}',
    trial: { parts: { loop: 'x{% include p %}' } },
  },
  {
    attempt: 'a part that renders itself twice through a variable',
    html: '{% render "loop", p: "loop" %}',
    trial: { parts: { loop: '{% render p, p: p %}{% render p, p: p %}' } },
  },
  {
    attempt: 'a part that renders itself in a loop',
    html: '{% render "loop", p: "loop" %}',
    trial: { parts: { loop: '{% for i in (1..1000) %}{% render p, p: p %}{% endfor %}' } },
  },
  {
    attempt: 'a layout that uses itself as layout through a variable',
    html: '{% assign l = "frame" %}{% layout l %}',
    trial: { parts: { frame: '{% layout l %}x' } },
  },
  {
    attempt: 'thirty parts, each of which renders the next one twice',
    html: '{% render "p0" %}',
    trial: {
      parts: Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`p${at}`, many(2, `{% render "p${at + 1}" %}`)]),
      ),
    },
  },
  {
    attempt: 'a block inside a block of the same name',
    html: '{% layout "frame" %}{% block a %}{% block a %}{{ block.super }}{% endblock %}{% endblock %}',
    trial: { parts: { frame: '{% block a %}{% endblock %}' } },
  },
  {
    attempt: 'blocks named like built-in properties',
    html: '{% layout "frame" %}{% block __proto__ %}{{ block.super.constructor }}{% endblock %}{% block constructor %}x{% endblock %}',
    trial: { parts: { frame: '{% block __proto__ %}{% endblock %}{% block toString %}{% endblock %}' } },
  },
  {
    attempt: 'parts named like built-in properties',
    html: '{% assign p = "__proto__" %}{% render p %}{% render "constructor" %}',
  },
  { attempt: 'a part name that is a file path', html: '{% render "../../../../etc/passwd" %}' },
  // escaping the sandbox
  {
    attempt: 'running code through constructors',
    html: '{{ "x".constructor.constructor }}{{ data | map: "constructor" }}{{ "return process" | constructor }}{% for i in (1..1) %}{{ forloop.constructor.constructor }}{% endfor %}',
  },
  {
    attempt: 'variables named like built-in properties',
    html: '{% assign __proto__ = "x" %}{% assign constructor = "y" %}{% increment __proto__ %}{% capture toString %}z{% endcapture %}{{ __proto__ }}{{ data }}',
  },
  {
    attempt: 'arguments named like built-in properties',
    html: '{% render "p", __proto__: data, constructor: "x", hasOwnProperty: 1 %}',
    trial: { parts: { p: '{{ __proto__ }}{{ x }}' } },
  },
  {
    attempt: 'data named like built-in properties',
    html: '{{ data.a }}{{ data.a | json }}{{ data.a.toString }}{% for x in data.a %}{{ x }}{% endfor %}',
    trial: {
      data: {
        a: JSON.parse('{"__proto__":{"b":1},"toString":1,"valueOf":2,"then":3,"toLiquid":4,"next":5}'),
      },
    },
  },
  {
    attempt: 'data of great depth',
    html: '{% for i in (1..100000) %}{{ data.a | json }}{{ data.a | inspect }}{% endfor %}',
    trial: { data: { a: deep(32) } },
  },
  // memory that the limit might not count
  {
    attempt: 'many cycles with long names',
    html: `{% for i in (1..1000000) %}${fill('"a",', '{% cycle i: ').slice(0, 200_000)}"b" %}{% endfor %}`,
  },
  {
    attempt: 'JSON with long keys, collected in a list',
    html: '{% assign l = "a" | split: "," %}{% for i in (1..100000) %}{% assign j = data | json %}{% assign l = l | push: j %}{% endfor %}',
    trial: {
      data: Object.fromEntries(
        Array.from({ length: 15 }, (_, at) => [`d${at}`, { ['k'.repeat(60_000)]: 1 }]),
      ),
    },
  },
  {
    attempt: 'backslashes converted to JSON again and again',
    html: `{% assign a = "\\\\" %}${many(40, '{% assign a = a | json %}')}`,
  },
  {
    attempt: 'grouping by long strings',
    html: `${doubledText(16)}{% for i in (1..100000) %}{% assign g = data.rows | group_by_exp: "r", "a | append: r.n" %}{% endfor %}`,
    trial: { data: RECORDS },
  },
  {
    attempt: 'a list of lists, flattened',
    html: `${nestedList(40)}{{ a | join }}{{ a | map: "x" }}{{ a | where: "x" }}{{ a | uniq }}{{ a | sum }}`,
  },
  {
    attempt: 'nested lists compared',
    html: `${nestedList(40)}{% assign l = "x" | split: "," | push: a | push: a | uniq %}`,
  },
  {
    attempt: 'objects with long keys, compared and printed',
    html: '{% for i in (1..100000) %}{{ data }}{% assign u = data | uniq %}{% endfor %}',
    trial: { data: { long: { ['k'.repeat(60_000)]: 1 } } },
  },
  {
    attempt: 'replacing the empty string with a long one',
    html: `${doubledText(17)}{{ a | replace: "", a }}{{ a | split: "" | join: a }}`,
  },
  { attempt: 'splitting at white space', html: `${doubledText(19)}{{ a | replace: "x", " " | split: " " }}` },
  {
    attempt: 'searching a long list for a long string',
    html: `${doubledText(16)}{% assign l = data.rows | map: "t" %}{% for i in (1..100000) %}{% assign w = l | where: a %}{% endfor %}`,
    trial: { data: RECORDS },
  },
  {
    attempt: 'many cycles with different names',
    html: `${doubledText(10)}{% for i in (1..1000000) %}{% assign n = a | append: i %}{% cycle n: 1, 2 %}{% endfor %}`,
  },
  {
    attempt: 'a table row for every element of a huge range',
    html: '{% tablerow i in (1..9999999) cols: 1 %}{% tablerow j in (1..9999999) %}{% endtablerow %}{% endtablerow %}',
  },
  {
    attempt: 'a part included for every element',
    html: '{% include "p" for (1..9999999) as x %}',
    trial: { parts: { p: '{% include "p" for (1..9999999) as y %}' } },
  },
  {
    attempt: 'long numbers',
    html: `{% assign a = "${'9'.repeat(200_000)}" %}{{ a | plus: a | times: a | modulo: 1e-7 }}`,
  },
  // static pages
  {
    attempt: 'nested elements for the sanitizer',
    html: '{% for i in (1..200000) %}<div>{% endfor %}',
    trial: { kind: 'static' },
  },
  {
    attempt: 'hundreds of thousands of attributes for the sanitizer',
    html: '<p {% for i in (1..300000) %}a{{ i }}=1 {% endfor %}>',
    trial: { kind: 'static' },
  },
  {
    attempt: 'misnested formatting for the sanitizer',
    html: '{% for i in (1..60000) %}<b><i><a>{% endfor %}',
    trial: { kind: 'static' },
  },
  {
    attempt: 'nested tables for the sanitizer',
    html: '{% for i in (1..60000) %}<table>x<td>{% endfor %}',
    trial: { kind: 'static' },
  },
]
