import { afterAll, describe, expect, it } from 'vitest'
import { errorPage } from '../../facades/site/documents/template-error.ts'
import type { TemplateError } from '../../routers/core/renderer.ts'
import { startRenderer } from '../../routers/liquid/renderer.ts'
import { htmlOf, renderIn, type Trial } from './site.ts'

const renderer = startRenderer({ processes: 1 })
afterAll(() => renderer.stop())

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

type Row = [what: string, html: string, error: Partial<TemplateError> | object, trial?: Trial]

const ROWS: Row[] = [
  [
    'a tag that is never ended',
    'a\nb {% if x %}',
    {
      kind: 'syntax',
      message: '{% if %} is opened here but never ended.',
      advice: 'Add {% endif %} where it should end.',
      ...page(2, 3, 'b {% if x %}'),
    },
  ],
  [
    'an end without a beginning',
    'x{% endfor %}',
    {
      kind: 'syntax',
      message: '{% endfor %} stands here without the tag it belongs to.',
      ...page(1, 2, 'x{% endfor %}'),
    },
  ],
  [
    'an unknown tag',
    '\n\n  {% lop %}',
    { kind: 'syntax', message: 'There is no tag “lop”.', ...page(3, 3, '  {% lop %}') },
  ],
  [
    'an output that is not closed',
    'ä😀{{ x',
    {
      kind: 'syntax',
      message: 'An output {{ is not closed.',
      advice: 'Close it with }}.',
      ...page(1, 3, 'ä😀{{ x'),
    },
  ],
  [
    'a tag that is not closed',
    '{% if x',
    {
      kind: 'syntax',
      message: 'The tag {% if is not closed.',
      advice: 'Close it with %}.',
      ...page(1, 1, '{% if x'),
    },
  ],
  [
    'raw text that never ends',
    '{% raw %}x',
    { kind: 'syntax', message: '{% raw %} is opened here but never ended.', ...page(1, 1, '{% raw %}x') },
  ],
  ['a filter that is written wrongly', '{{ x | a b }}', { kind: 'syntax', ...page(1, 10, '{{ x | a b }}') }],
  ['an else too many', '{% if a %}{% else %}{% else %}{% endif %}', { kind: 'syntax' }],
  ['a note that is no note', '{% # a\n b %}', { kind: 'syntax', ...page(1, 1, '{% # a') }],
  [
    'a missing part',
    'x\n{% render "nope" %}',
    {
      kind: 'missing_part',
      message: 'There is no part called “nope” in this space.',
      ...page(2, 1, '{% render "nope" %}'),
    },
  ],
  ['a missing layout', '{% layout "nope" %}', { kind: 'missing_part', ...page(1, 1, '{% layout "nope" %}') }],
  [
    'a missing part by a variable',
    '{% assign p = "nope" %}{% include p %}',
    { kind: 'missing_part', ...page(1, 24, '{% assign p = "nope" %}{% include p %}') },
  ],
  [
    'a variable that names nothing',
    '{% include nothing %}',
    { kind: 'missing_part', message: 'This tag names no part: its variable is empty.' },
  ],
  [
    'a part that misses a part',
    '{% render "outer" %}',
    { kind: 'missing_part', ...part('outer', 2, 1, '{% render "nope" %}') },
    { parts: { outer: 'x\n{% render "nope" %}' } },
  ],
  [
    'a mistake in a part',
    '{% render "outer" %}',
    { kind: 'syntax', ...part('outer', 2, 2, 'x{{ y') },
    { parts: { outer: '\nx{{ y' } },
  ],
  [
    'a mistake in a layout',
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
    'a filter that cannot work',
    '{{ "%" | url_decode }}',
    { kind: 'render', ...page(1, 1, '{{ "%" | url_decode }}') },
  ],
  [
    'a filter that cannot work, in a part',
    '{% render "p" %}',
    { kind: 'render', ...part('p', 1, 2, ' {{ "%" | url_decode }}') },
    { parts: { p: ' {{ "%" | url_decode }}' } },
  ],
  [
    'parts without end',
    '{% assign p = "p" %}{% include p %}',
    {
      kind: 'render',
      message: 'Parts or tags are nested too deeply here.',
      where: { body: 'part', name: 'p' },
    },
    { parts: { p: '{% include p %}' } },
  ],
  [
    'an expression that is no expression',
    '{{ data.l | where_exp: "x", "(" }}',
    { kind: 'render', ...page(1, 1, '{{ data.l | where_exp: "x", "(" }}') },
    { data: { l: [1] } },
  ],
]

describe('an error', () => {
  it.each(ROWS)('is told with its place: %s', async (_what, html, error, trial) => {
    expect(await errorOf(html, trial)).toMatchObject(error)
  })

  it('always comes with advice', async () => {
    for (const [, html, , trial] of ROWS) expect((await errorOf(html, trial)).advice).toMatch(/\w.*\.$/)
  })

  it('in a part that no tag reaches is none', async () => {
    const result = await renderIn(
      renderer,
      'x{% if false %}{% render "bad" %}{% render "nope" %}{% endif %}',
      { parts: { bad: '{% if' } },
    )
    expect(htmlOf(result)).toBe('x')
  })

  it('in a long line shows the piece around it', async () => {
    const { excerpt, column } = await errorOf(`${'a'.repeat(5000)}{% oops %}${'b'.repeat(5000)}`)
    expect(column).toBe(5001)
    expect(excerpt).toMatch(/^…a+\{% oops %\}b+…$/)
    expect(excerpt!.length).toBeLessThan(200)
  })

  it('is told again, from memory, when the page is opened again', async () => {
    const html = 'again {% oops %}'
    expect(await errorOf(html)).toEqual(await errorOf(html))
  })
})

describe('the page that explains it', () => {
  const error: TemplateError = {
    kind: 'syntax',
    message: 'There is no tag “<b>”.',
    advice: 'Check & mend.',
    where: { body: 'part', name: 'side-bar' },
    line: 12,
    column: 3,
    excerpt: '  {% <script>alert("1")</script> %}',
  }

  it('is a whole document with language, title and headline', () => {
    const html = errorPage(error)
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(html.match(/<title>(.*)<\/title>/)?.[1]).toBe(html.match(/<h1>(.*)<\/h1>/)?.[1])
  })

  it('says what is wrong, where, and how to mend it', () => {
    const html = errorPage(error)
    expect(html).toContain('There is no tag “&lt;b&gt;”.')
    expect(html).toContain('Check &amp; mend.')
    expect(html).toContain('Part <strong>side-bar</strong>, line 12, column 3')
    expect(html).toContain('{% &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; %}')
  })

  it('runs and loads nothing', () => {
    expect(errorPage(error)).not.toMatch(/<script|<link|<img|src=|@import|url\(|\son\w+=/i)
  })

  it('shows characters that turn text around as what they are', () => {
    expect(errorPage({ ...error, excerpt: 'a\u202eb\u0000c' })).toContain('a�b�c')
  })

  it('gets by without a place', () => {
    expect(errorPage({ ...error, line: null, column: null, excerpt: null })).toContain(
      'Part <strong>side-bar</strong>',
    )
  })
})
