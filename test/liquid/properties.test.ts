import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorPage } from '../../facades/site/documents/template-error.ts'
import type { TemplateError } from '../../routers/api/renderer.ts'
import { sharedRenderer } from '../support/renderer.ts'
import { body, leaf, text } from './random-templates.ts'
import { htmlOf, renderIn } from './site.ts'

const renderer = sharedRenderer()

const EDITOR = 'http://localhost/admin/spaces/garden/pages/a'

const RUNS = { numRuns: 60 }
const broken = fc
  .array(
    fc.oneof(
      leaf,
      fc.constantFrom(
        '{{',
        '}}',
        '{%',
        '%}',
        '{% if %}',
        '{% endfor %}',
        '{% for',
        '"',
        '{%-',
        '{% raw %}',
        '{% layout "part" %}',
        '{% endcomment %}',
        '{% nonsense %}',
        '|',
        '{{ x | }}',
      ),
    ),
    { maxLength: 12 },
  )
  .map(pieces => pieces.join(''))

const TRIAL = { parts: { part: '[{{ x }}]' }, data: { list: [{ n: 1 }, { n: 2 }, 'three', null] } }

describe('for any input', () => {
  it('text without delimiters is unchanged', async () => {
    const written = fc.string({ unit: 'binary', maxLength: 300 }).filter(html => !/\{[{%]/.test(html))
    await fc.assert(
      fc.asyncProperty(written, async html => {
        expect(htmlOf(await renderIn(renderer, html))).toBe(html)
      }),
      RUNS,
    )
  })

  it('a string from the data is unchanged after it is escaped and the HTML is parsed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async written => {
        const html = htmlOf(await renderIn(renderer, '{{ data.it }}', { data: { it: written } }))
        expect(html).not.toMatch(/[<>"']/)
        const read = html.replace(/&lt;|&gt;|&#34;|&#39;|&amp;/g, entity => ENTITIES[entity] ?? '')
        expect(read).toBe(written)
      }),
      RUNS,
    )
  })

  it('a well-formed template gives a page or an error, and does not change the data', async () => {
    await fc.assert(
      fc.asyncProperty(body, async html => {
        await expectPageOrError(html)
        const data = htmlOf(await renderIn(renderer, '{{ data.list | json | raw }}', TRIAL))
        expect(data).toBe(JSON.stringify(TRIAL.data.list))
      }),
      RUNS,
    )
  })

  it('a malformed template gives a page or an error', async () => {
    await fc.assert(fc.asyncProperty(broken, expectPageOrError), RUNS)
  })

  it('the analysis of a body finds the parts even if the body also has an unknown tag', async () => {
    await fc.assert(
      fc.asyncProperty(body, async html => {
        const whole = await renderer.analyze(html, 'account')
        fc.pre(whole.parses)
        expect(await renderer.analyze(`${html}{% nonsense %}`, 'account')).toEqual({
          ...whole,
          parses: false,
          hints: [],
        })
      }),
      RUNS,
    )
  })
})

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&#34;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

async function expectPageOrError(html: string): Promise<void> {
  const result = await renderIn(renderer, html, TRIAL)
  if (result.ok) return
  expect(['syntax', 'missing_part', 'render', 'too_large']).toContain(result.error.kind)
  expect(result.error.message).not.toMatch(/undefined is not|Cannot read|is not a function|is not iterable/)
}

describe('the error page', () => {
  it('contains no markup from the error', () => {
    const error: TemplateError = {
      kind: 'render',
      isInSource: false,
      message: '',
      advice: '',
      where: { body: 'part', name: '' },
      line: 1,
      column: 1,
      excerpt: '',
    }
    const tags = (html: string) => html.match(/<[^>]*>/g)
    const own = tags(errorPage(error, EDITOR))
    const nasty = fc.oneof(
      text,
      fc.constantFrom('</code><script>alert(1)</script>', '<!--', '"><img onerror=x>', '</style>', '\u202e'),
    )
    fc.assert(
      fc.property(nasty, nasty, nasty, nasty, (message, advice, name, excerpt) => {
        expect(
          tags(errorPage({ ...error, message, advice, excerpt, where: { body: 'part', name } }, EDITOR)),
        ).toEqual(own)
      }),
    )
  })
})
