import { describe, expect, it } from 'vitest'
import { errorPage } from '../../facades/site/documents/template-error.ts'
import type { TemplateError } from '../../routers/api/renderer.ts'
import { sharedRenderer } from '../support/renderer.ts'
import { htmlOf, renderIn, type Trial } from './site.ts'

const renderer = sharedRenderer()

async function errorOf(html: string, trial?: Trial): Promise<TemplateError> {
  const result = await renderIn(renderer, html, trial)
  if (result.ok) throw new Error(`no error, but: ${result.html.toString()}`)
  return result.error
}

const page = (line: number, column: number, excerpt: string) => ({
  where: { body: 'page', name: 'menu' },
  line,
  column,
  excerpt,
})
const part = (name: string, line: number, column: number, excerpt: string) => ({
  where: { body: 'part', name },
  line,
  column,
  excerpt,
})

/** The position of an error that no tag causes. */
const NOWHERE = { where: { body: 'page', name: 'menu' }, line: null, column: null, excerpt: null }

type Row = [what: string, html: string, error: Partial<TemplateError> | object, trial?: Trial]

const ROWS: Row[] = [
  [
    'an unclosed block tag',
    'a\nb {% if x %}',
    {
      kind: 'syntax',
      message: '{% if %} is never closed.',
      advice: 'Add {% endif %} where it should end.',
      ...page(2, 3, 'b {% if x %}'),
    },
  ],
  [
    'an end tag without an opening tag',
    'x{% endfor %}',
    {
      kind: 'syntax',
      message: '{% endfor %} has no matching opening tag.',
      advice:
        'Remove it, or add {% for %} before it. Close tags in the reverse order in which you opened them.',
      ...page(1, 2, 'x{% endfor %}'),
    },
  ],
  [
    'a tag left open inside another',
    '{% if a %}\n  {% for x in y %}\n{% endif %}',
    {
      kind: 'syntax',
      message: '{% for %} is still open where {% endif %} in line 3 closes {% if %}.',
      advice: 'Add {% endfor %} before {% endif %}, or remove {% for %}.',
      ...page(2, 3, '  {% for x in y %}'),
    },
  ],
  [
    'two tags left open inside another',
    '{% unless a %}\n{% case b %}{% when 1 %}{% capture c %}\n\n{% endunless %}',
    {
      message: '{% capture %} is still open where {% endunless %} in line 4 closes {% unless %}.',
      ...page(2, 25, '{% case b %}{% when 1 %}{% capture c %}'),
    },
  ],
  [
    'a tag left open inside a block of a page with a layout',
    '{% layout "frame" %}{% block content %}{% if a %}\n{% endblock %}',
    {
      message: '{% if %} is still open where {% endblock %} in line 2 closes {% block %}.',
      ...page(1, 40, '{% layout "frame" %}{% block content %}{% if a %}'),
    },
    { parts: { frame: '' } },
  ],
  [
    'a tag left open before the next section of another',
    '{% if a %}{% for x in y %}{% if x %}{% endif %}\n{% elsif b %}{% endif %}',
    {
      message: '{% for %} is still open where {% elsif %} in line 2 continues {% if %}.',
      ...page(1, 11, '{% if a %}{% for x in y %}{% if x %}{% endif %}'),
    },
  ],
  [
    'a layout inside another tag',
    '{% if a %}\n{% layout "frame" %}\n{% endif %}',
    {
      message: '{% layout %} is inside {% if %}, which {% endif %} in line 3 closes.',
      ...page(2, 1, '{% layout "frame" %}'),
    },
    { parts: { frame: '' } },
  ],
  [
    'an end tag that only a tag outside `liquid` could have',
    '{% if a %}{% liquid\nendif %}{% endif %}',
    { message: '{% endif %} has no matching opening tag.', line: 2 },
  ],
  [
    'a tag left open inside `liquid`',
    '{% liquid\nif a\nfor x in y\nendif %}',
    { message: '{% for %} is still open where {% endif %} in line 4 closes {% if %}.', line: 3 },
  ],
  [
    'an end tag of no open tag inside others',
    '{% if a %}{% endfor %}{% endif %}',
    {
      message: '{% endfor %} has no matching opening tag.',
      ...page(1, 11, '{% if a %}{% endfor %}{% endif %}'),
    },
  ],
  [
    'a misspelled end tag',
    '{% if a %}{% endiff %}',
    {
      message: 'Unknown tag “endiff”.',
      advice: 'Did you mean {% endif %}? To print it as text, put it between {% raw %} and {% endraw %}.',
    },
  ],
  [
    'a section without the tag that has it',
    '{% else %}',
    {
      message: '{% else %} has no matching opening tag.',
      advice:
        'Remove it, or add {% if %}, {% unless %}, {% case %} or {% for %} before it. Close tags in the reverse order in which you opened them.',
    },
  ],
  [
    'an unknown tag',
    '\n\n  {% lop %}',
    {
      kind: 'syntax',
      message: 'Unknown tag “lop”.',
      advice: 'Check its spelling. To print it as text, put it between {% raw %} and {% endraw %}.',
      ...page(3, 3, '  {% lop %}'),
    },
  ],
  [
    'a tag named like a property of every object',
    '{% constructor %}',
    {
      kind: 'syntax',
      message: 'Unknown tag “constructor”.',
      advice: 'Check its spelling. To print it as text, put it between {% raw %} and {% endraw %}.',
    },
  ],
  [
    'a static page whose unclosed elements are repeated in every paragraph',
    `{{ page.slug }}<p><b title="${'x'.repeat(50_000)}">${'<p>x'.repeat(2000)}`,
    {
      kind: 'too_large',
      message:
        'This page has unclosed elements. Browsers repeat them in later paragraphs, which makes the page too large.',
      ...NOWHERE,
    },
    { kind: 'static' },
  ],
  [
    'a misspelled tag',
    '{% rendr "x" %}',
    {
      kind: 'syntax',
      message: 'Unknown tag “rendr”.',
      advice: 'Did you mean {% render %}? To print it as text, put it between {% raw %} and {% endraw %}.',
    },
  ],
  [
    'an unclosed output',
    'ä😀{{ x',
    {
      kind: 'syntax',
      message: 'The output {{ is never closed.',
      advice: 'Close it with }}.',
      ...page(1, 3, 'ä😀{{ x'),
    },
  ],
  [
    'an unclosed tag',
    '{% if x',
    {
      kind: 'syntax',
      message: 'The tag {% if is never closed.',
      advice: 'Close it with %}.',
      ...page(1, 1, '{% if x'),
    },
  ],
  [
    'unclosed raw text',
    '{% raw %}x',
    { kind: 'syntax', message: '{% raw %} is never closed.', ...page(1, 1, '{% raw %}x') },
  ],
  ['a malformed filter', '{{ x | a b }}', { kind: 'syntax', ...page(1, 10, '{{ x | a b }}') }],
  ['a second else', '{% if a %}{% else %}{% else %}{% endif %}', { kind: 'syntax' }],
  ['an inline comment without # on each line', '{% # a\n b %}', { kind: 'syntax', ...page(1, 1, '{% # a') }],
  [
    'a missing part',
    'x\n{% render "nope" %}',
    {
      kind: 'missing_part',
      message: 'This space has no part named “nope”.',
      ...page(2, 1, '{% render "nope" %}'),
    },
  ],
  ['a missing layout', '{% layout "nope" %}', { kind: 'missing_part', ...page(1, 1, '{% layout "nope" %}') }],
  [
    'a missing part named by a variable',
    '{% assign p = "nope" %}{% include p %}',
    { kind: 'missing_part', ...page(1, 24, '{% assign p = "nope" %}{% include p %}') },
  ],
  [
    'an empty variable as a part name',
    '{% include nothing %}',
    { kind: 'missing_part', message: 'This tag names no part, because its variable is empty.' },
  ],
  [
    'a part that includes a missing part',
    '{% render "outer" %}',
    { kind: 'missing_part', ...part('outer', 2, 1, '{% render "nope" %}') },
    { parts: { outer: 'x\n{% render "nope" %}' } },
  ],
  [
    'a syntax error in a part',
    '{% render "outer" %}',
    { kind: 'syntax', ...part('outer', 2, 2, 'x{{ y') },
    { parts: { outer: '\nx{{ y' } },
  ],
  [
    'a syntax error in a layout',
    '{% layout "frame" %}',
    { kind: 'syntax', ...part('frame', 1, 1, '{% oops %}') },
    { parts: { frame: '{% oops %}' } },
  ],
  [
    'an endless template',
    '{% for i in (1..99999) %}\n{% for j in (1..99999) %}{% endfor %}{% endfor %}',
    { kind: 'timeout', where: { body: 'page', name: 'menu' }, line: 2 },
  ],
  [
    'too much output',
    '{% capture a %}xxxxxxxxxx{% endcapture %}' +
      '{% capture a %}{{ a }}{{ a }}{{ a }}{% endcapture %}'.repeat(15),
    { kind: 'too_large', line: 1 },
  ],
  [
    'too much text',
    `{% assign a = "xxxxxxxxxx" %}${'{% assign a = a | append: a %}'.repeat(30)}`,
    { kind: 'too_large', line: 1 },
  ],
  [
    'too much inserted text',
    `{% assign a = "${'x'.repeat(2000)}" %}${'{% assign b = a | replace: "", a %}'.repeat(5)}`,
    { kind: 'too_large', line: 1 },
  ],
  [
    'a filter that throws',
    '{{ 1 | where_exp: "x", "(" }}',
    { kind: 'render', ...page(1, 1, '{{ 1 | where_exp: "x", "(" }}') },
  ],
  [
    'a filter that throws, in a part',
    '{% render "p" %}',
    { kind: 'render', ...part('p', 1, 2, ' {{ 1 | where_exp: "x", "(" }}') },
    { parts: { p: ' {{ 1 | where_exp: "x", "(" }}' } },
  ],
  [
    'a part that includes itself forever',
    '{% assign p = "p" %}{% include p %}',
    {
      kind: 'render',
      message: 'Parts or tags are nested too deeply here.',
      where: { body: 'part', name: 'p' },
    },
    { parts: { p: '{% include p %}' } },
  ],
  [
    'an invalid expression in a filter',
    '{{ data.l | where_exp: "x", "(" }}',
    { kind: 'render', ...page(1, 1, '{{ data.l | where_exp: "x", "(" }}') },
    { data: { l: [1] } },
  ],
]

describe('a template error', () => {
  it.each(ROWS)('is reported with its position: %s', async (_what, html, error, trial) => {
    expect(await errorOf(html, trial)).toMatchObject(error)
  })

  it('always includes advice', async () => {
    for (const [, html, , trial] of ROWS) expect((await errorOf(html, trial)).advice).toMatch(/\w.*\.$/)
  })

  it('suggests the existing part with the most similar name', async () => {
    const { advice } = await errorOf('{% render "sidbar" %}', { parts: { sidebar: '', footer: '' } })
    expect(advice).toBe(
      'Did you mean “sidebar”? Correct the name in this tag, or create a part with this name.',
    )
  })

  it('is not caused by a broken or missing part that is never rendered', async () => {
    const result = await renderIn(
      renderer,
      'x{% if false %}{% render "bad" %}{% render "nope" %}{% endif %}',
      { parts: { bad: '{% if' } },
    )
    expect(htmlOf(result)).toBe('x')
  })

  it('includes an excerpt around its column if the line is long', async () => {
    const { excerpt, column } = await errorOf(`${'a'.repeat(5000)}{% oops %}${'b'.repeat(5000)}`)
    expect(column).toBe(5001)
    expect(excerpt).toMatch(/^…a+\{% oops %\}b+…$/)
    expect(excerpt!.length).toBeLessThan(200)
  })

  it('is the same when the page is rendered again', async () => {
    const html = 'again {% oops %}'
    expect(await errorOf(html)).toEqual(await errorOf(html))
  })
})

/** The address of the page's editor. */
const EDITOR = 'http://localhost/admin/spaces/garden/pages/a'

describe('the error page', () => {
  const error: TemplateError = {
    kind: 'syntax',
    isInSource: true,
    message: 'Unknown tag “<b>”.',
    advice: 'Check & fix.',
    where: { body: 'part', name: 'side-bar' },
    line: 12,
    column: 3,
    excerpt: '  {% <script>alert("1")</script> %}',
  }

  it('is a complete document with a language, title and heading', () => {
    const html = errorPage(error, EDITOR)
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(html.match(/<title>(.*)<\/title>/)?.[1]).toBe(html.match(/<h1>(.*)<\/h1>/)?.[1])
  })

  it('says what is wrong, where, and how to fix it', () => {
    const html = errorPage(error, EDITOR)
    expect(html).toContain('Unknown tag “&lt;b&gt;”.')
    expect(html).toContain('Check &amp; fix.')
    expect(html).toContain('Part <strong>side-bar</strong>, line 12, column 3')
    expect(html).not.toContain('alert')
  })

  it('quotes nothing from the template', async () => {
    const secret = 'data.prices.draft'
    for (const html of [`{{ ${secret} | a b }}`, `{% for ${secret} %}{% endfor %}`]) {
      const found = await errorOf(html)
      expect(found.excerpt).toContain(secret)
      expect(errorPage(found, EDITOR)).not.toContain(secret)
    }
  })

  it.each([
    [{}, 'Pages that do not include the part <strong>side-bar</strong> are not affected.'],
    [{ where: { body: 'page', name: 'menu' } }, 'Its other pages are not affected.'],
    [
      { kind: 'missing_part', where: { body: 'page', name: 'menu' } },
      'Pages that do not include this part are not affected.',
    ],
  ] as [Partial<TemplateError>, string][])('says which pages are not affected: %o', (change, sentence) => {
    const html = errorPage({ ...error, ...change }, EDITOR)
    expect(html).toContain(`Visiting this site? ${sentence} Are you`)
    expect(html.match(/ not affected/g)).toHaveLength(1)
  })

  it('runs no scripts and loads nothing', () => {
    expect(errorPage(error, EDITOR)).not.toMatch(/<script|<link|<img|src=|@import|url\(|\son\w+=/i)
  })

  it('replaces invisible characters and characters that change the text direction', () => {
    expect(errorPage({ ...error, message: 'a\u202eb\u0000c' }, EDITOR)).toContain('a�b�c')
  })

  it('omits an unknown position', () => {
    expect(errorPage({ ...error, line: null, column: null, excerpt: null }, EDITOR)).toContain(
      'Part <strong>side-bar</strong>',
    )
  })
})
