import { describe, expect, it } from 'vitest'
import { sharedRenderer } from '../support/renderer.ts'
import { requestFor, type Trial } from './site.ts'

const renderer = sharedRenderer()

/** Renders a page and returns its review: hints, links and removed markup. */
async function reviewOf(html: string, trial?: Trial) {
  const request = requestFor(html, trial)
  const outcome = await renderer.render({ ...request, page: { ...request.page, reviewed: true } })
  if (!outcome.ok || !outcome.review) throw new Error('no review')
  return outcome.review
}

describe('a hint', () => {
  const rows: [html: string, message: string, nearest: string | null][] = [
    ['{{ "a" | upcse }}', 'There is no filter “upcse”, so the value is not changed.', 'upcase'],
    ['{{ "a" | frobnicate }}', 'There is no filter “frobnicate”, so the value is not changed.', null],
    ['{{ "a" | constructor }}', 'There is no filter “constructor”, so the value is not changed.', null],
    [
      '{{ "a" | upcase: 1 }}',
      'The filter “upcase” takes no arguments, but has 1. Further arguments are ignored.',
      null,
    ],
    [
      '{{ 1 | plus }}',
      'The filter “plus” takes 1 argument, but has 0. Missing arguments count as empty.',
      null,
    ],
    [
      '{{ 1 | plus: 1, 2 }}',
      'The filter “plus” takes 1 argument, but has 2. Further arguments are ignored.',
      null,
    ],
    [
      '{{ "a" | slice: 1, 2, 3 }}',
      'The filter “slice” takes 1 or 2 arguments, but has 3. Further arguments are ignored.',
      null,
    ],
    ['{% assign x = "a" | upcse %}', 'There is no filter “upcse”, so the value is not changed.', 'upcase'],
    [
      '{% assign x = "a" %}{% if x %}{% for i in x %}{% echo i | upcse %}{% endfor %}{% endif %}',
      'There is no filter “upcse”, so the value is not changed.',
      'upcase',
    ],
    [
      '{% liquid\n echo "a" | upcse\n%}',
      'There is no filter “upcse”, so the value is not changed.',
      'upcase',
    ],
    [
      '<script>x = {{ space | json }}</script>',
      'In a script, write “| json | raw”: without “raw”, quotes are printed as &#34;, and the script does not run.',
      null,
    ],
    [
      '{{ 5 | money: "Euro" }}',
      '“Euro” is not the code of a currency, so the price is in USD. Use a code such as "EUR".',
      null,
    ],
    ['{{ 0 | date: "%Q" }}', '“%Q” has no meaning in a date format, so it is printed as it is.', null],
    [
      '{{ 0 | date: "%H", "Berlin" }}',
      'There is no time zone “Berlin”, so the time is in UTC. Use a name such as "Europe/Berlin".',
      null,
    ],
    [
      '{{ 0 | date: "%H", timezone: "Mars/Phobos" }}',
      'There is no time zone “Mars/Phobos”, so the time is in UTC. Use a name such as "Europe/Berlin".',
      null,
    ],
    [
      '{{ 0 | date: "%A", lang: "klingon" }}',
      'There is no language “klingon”, so the names are English. Use a code such as "de" or "pt-BR".',
      null,
    ],
    [
      '{% assign lines = "a" | split: "\\n" %}',
      '“\\n” is not a line break or tab, because Liquid has no escapes: capture one with {% capture %}.',
      null,
    ],
  ]
  it.each(rows)('is given for %s', async (html, message, nearest) => {
    const { hints } = await reviewOf(`<p>\nä ${html}`)
    expect(hints).toMatchObject([{ message, nearest, where: { body: 'page', name: 'menu' } }])
    expect((await renderer.analyze(html, 'account')).hints).toMatchObject([{ message, nearest }])
  })

  it.each([
    ['{{ "a" | upcas }}', { nearest: 'upcase', written: 'upcas' }],
    ['{{ "a" | zzzzzzzzzz }}', { nearest: null, written: null }],
  ])('names the word that the nearest one can replace, in %s', async (html, names) => {
    expect((await reviewOf(html)).hints).toMatchObject([names])
  })

  it('has the position of the filter', async () => {
    const { hints } = await reviewOf('<p>\n😀 {{ "a" | upcase | nope }}')
    expect(hints).toMatchObject([{ line: 2, column: 21 }])
  })

  it.each([
    ['\n\n{{ 1 | nope }}', 3, 8],
    ['{{ 1 | nope }}{{ 2 | nope }}', 1, 8],
    ['{{ 1 | nope }}\r\n😀{{ 2 | nope }}', 1, 8],
  ])(
    'has the position of its own filter, even if other filters have hints too: %j',
    async (html, line, column) => {
      const [first, ...others] = (await reviewOf(html)).hints
      expect(first).toMatchObject({ line, column })
      expect(others.map(hint => [hint.line, hint.column])).toEqual(
        [...html.matchAll(/nope/g)].slice(1).map(({ index }) => {
          const lines = html.slice(0, index).split('\n')
          return [lines.length, Array.from(lines.at(-1) ?? '').length + 1]
        }),
      )
    },
  )

  it('is not given for a correct template', async () => {
    const html =
      '{{ "a" | default: "b", allow_false: true | slice: 0 | replace: "a", "b" | date: "%Y" }}{% comment %}{{ x | y }}{% endcomment %}{% raw %}{{ x | y }}{% endraw %}'
    expect(await reviewOf(html)).toEqual({ hints: [], links: [], removed: [], layout: null })
  })

  it('is also given for parts that the page includes, directly or through other parts', async () => {
    const { hints } = await reviewOf('{% render "a" %}', {
      parts: { a: '{% include "b" %}', b: '{{ 1 | nope }}', c: '{{ 1 | nope }}' },
    })
    expect(hints).toMatchObject([{ where: { body: 'part', name: 'b' } }])
  })

  it('is not returned if the request asks for no review', async () => {
    expect(await renderer.render(requestFor('{{ 1 | nope }}'))).not.toHaveProperty('review')
  })

  it('is left out if the review already has 20 hints', async () => {
    expect((await reviewOf('{{ 1 | nope }}'.repeat(5000))).hints).toHaveLength(20)
  })
})

describe('markup that is removed from a static page', () => {
  const rows: [html: string, removed: object[]][] = [
    ['<script>1</script><script>2</script>', [{ element: 'script', attribute: null, count: 2 }]],
    [
      '<p onclick="x()" onfocus="y()">a</p>',
      [
        { element: 'p', attribute: 'onclick', count: 1 },
        { element: 'p', attribute: 'onfocus', count: 1 },
      ],
    ],
    [
      '<a href="javascript:x()">a</a>',
      [
        {
          element: 'a',
          attribute: 'href',
          message: 'Its address could run a script, or has a scheme that is not allowed here.',
        },
      ],
    ],
    [
      '<form><label>a <input></label></form>',
      [{ element: 'form' }, { element: 'label' }, { element: 'input' }],
    ],
    ['<svg><path d="M0 0"/></svg>', [{ element: 'svg', message: expect.stringContaining('Upload it') }]],
    ['<iframe src="/a"></iframe>', [{ element: 'iframe' }]],
    [
      '<head><base href="/a"><meta http-equiv="refresh" content="1">',
      [{ element: 'base' }, { element: 'meta' }],
    ],
    ['<math><maction><mi>x</mi></maction></math>', [{ element: 'maction' }]],
    [
      'a<!-- b --><!-- c -->',
      [{ element: '!-- … --', count: 2, message: 'Comments are not sent to readers.' }],
    ],
    [
      '<p style="background: url(javascript:a)">a</p><p style="color: red">b</p>',
      [{ element: 'p', attribute: 'style', count: 1, message: expect.stringContaining('Only a URL') }],
    ],
    ['<style>a { background: url(file:///b) }</style>', [{ element: 'style', attribute: null, count: 1 }]],
    ['<style>a > b { content: "</b>" }</style>', []],
    [
      '<a rel="opener me" href="/a">a</a><a rel=" me  nofollow " href="/a">b</a>',
      [
        {
          element: 'a',
          attribute: 'rel',
          count: 1,
          message: expect.stringContaining('Only part of this attribute'),
        },
      ],
    ],
    ['<meta charset="latin1"><a href="/a" ping="/b">a</a>', [{ element: 'a', attribute: 'ping' }]],
    ['<p class="a"><b>b</b><my-card>c</my-card></p>', []],
  ]
  it.each(rows)('is reported, and nothing else is: %s', async (html, removed) => {
    expect((await reviewOf(html, { kind: 'static' })).removed).toMatchObject(removed)
  })

  it('is not reported for a scripted page', async () => {
    expect((await reviewOf('<script>1</script>')).removed).toEqual([])
  })

  it('is reported only up to a maximum number of entries and a maximum total length', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `<p on${'x'.repeat(1000)}${at}=1>`).join('')
    const { removed } = await reviewOf(names, { kind: 'static' })
    expect(removed.length).toBeLessThanOrEqual(50)
    expect(JSON.stringify(removed).length).toBeLessThan(20_000)
  })
})

describe('no hint is given for', () => {
  it.each([
    '<script>x = {{ data.menu | json | raw }}</script>{{ data.menu | json }}',
    '<script type="text/template">{{ data.menu | json }}</script>',
    '<script>{% assign x = data.menu | json %}x = {{ x | raw }}</script>',
    '{{ 0 | date: "%-d %^a %:z %10N %Ey %q %%", "Europe/Berlin", lang: "pt-BR" }}{{ 0 | date: data.f, data.z }}',
    '<script>if (a < b) c()</script><script type="module">import a from "b"\nexport const c = await a</script>',
    '<script src="x.js">not checked</script><script type="text/x-template"><p></script>',
    '<script type="application/ld+json">{"a": 1}</script><script type="module">import { a,\n b } from "c"</script>',
    '<!-- <script>let let</script> --><textarea><script>let let</script></textarea><script>let open',
  ])('%s', async html => {
    expect((await reviewOf(html, { data: { menu: 1, f: '%Y', z: 'UTC' } })).hints).toEqual([])
  })
})

describe('a script that does not parse', () => {
  const rows: [html: string, message: string, line: number][] = [
    [
      '<script>\nlet a = 1\nlet a = 2\n</script>',
      "Identifier 'a' has already been declared, in its line 3: “let a = 2”",
      4,
    ],
    [
      '<script type="module">\nawait 1\nimport a from "b"\na b</script>',
      "Unexpected identifier 'b', in its line 4: “a b”",
      5,
    ],
    [
      '<script>\nx = "{{ data.quote }}" + {{ data.quote }}</script>',
      'Values are escaped for HTML: in a script, print them with “| json | raw”.',
      2,
    ],
    ['<script>\nx = {{ data.nothing }};\n</script>', "Unexpected token ';', in its line 2: “x = ;”", 2],
    ['<script type="application/ld+json">\n{"a": 1,}\n</script>', 'is not valid JSON: “{"a": 1,}”', 3],
  ]
  it.each(rows)('gets a hint: %s', async (html, message, line) => {
    const { hints } = await reviewOf(`<p>\n${html}`, { data: { quote: '"' } })
    const hint = hints.find(each => each.message.includes(message))
    expect(hint).toMatchObject({ line, where: { body: 'page', name: 'menu' } })
  })

  it('gets a hint in the part that writes it, and none on a static page', async () => {
    const parts = { tools: '<script>\n  let 1\n</script>' }
    const html = '{% include "tools" %}'
    expect((await reviewOf(html, { parts })).hints).toMatchObject([
      { line: 2, column: 3, where: { body: 'part', name: 'tools' } },
    ])
    expect((await reviewOf(html, { parts, kind: 'static' })).hints).toEqual([])
  })
})
