import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sharedRenderer } from '../support/renderer.ts'
import { renderIn } from './site.ts'

const renderer = sharedRenderer()

const rename = { from: 'card', to: 'tile-2' }
const renamed = async (html: string) => (await renderer.renamePart(html, rename, 'account')).html

describe('renaming a part in a body', () => {
  it.each([
    ['single quotes', `{% render 'card' %}`, `{% render 'tile-2' %}`],
    ['double quotes', '{% include "card" %}', '{% include "tile-2" %}'],
    [
      'a layout',
      '{% layout "card" %}{% block a %}x{% endblock %}',
      '{% layout "tile-2" %}{% block a %}x{% endblock %}',
    ],
    ['white space control', `a {%-render  'card'-%} b`, `a {%-render  'tile-2'-%} b`],
    ['white space and line breaks', `{%\n\trender\n'card'\n%}`, `{%\n\trender\n'tile-2'\n%}`],
    ['no space before the name', `{% render'card' %}`, `{% render'tile-2' %}`],
    ['arguments', `{% render 'card', card: 'card' %}`, `{% render 'tile-2', card: 'card' %}`],
    [
      'several tags on a line',
      `ä{% render 'card' %}😀{% render "card" %}`,
      `ä{% render 'tile-2' %}😀{% render "tile-2" %}`,
    ],
    [
      'blocks in blocks',
      `{% if x %}{% for y in z %}{% render 'card' %}{% else %}{% include 'card' %}{% endfor %}{% endif %}`,
      `{% if x %}{% for y in z %}{% render 'tile-2' %}{% else %}{% include 'tile-2' %}{% endfor %}{% endif %}`,
    ],
    [
      'a liquid tag',
      `{% liquid\n  if x\n    render 'card'\n  endif\n  comment\n  render 'card'\n  endcomment\n  include "card" %}`,
      `{% liquid\n  if x\n    render 'tile-2'\n  endif\n  comment\n  render 'card'\n  endcomment\n  include "tile-2" %}`,
    ],
  ])('replaces its name: %s', async (_what, html, result) => {
    expect(await renderer.renamePart(html, rename, 'account')).toMatchObject({
      html: result,
      references: ['tile-2'],
      parses: true,
    })
  })

  it.each([
    [
      'comments',
      `{% comment %}{% render 'card' %}{% endcomment %}{% # render 'card' %}{% doc %}{% render 'card' %}{% enddoc %}`,
    ],
    ['raw text', `{% raw %}{% render 'card' %}{% endraw %}`],
    ['text and outputs', `render 'card' {{ 'card' }} {{ "{% render 'card' %}" }} {{ card.title }}`],
    [
      'other parts and dynamic names',
      `{% render 'cards' %}{% render 'my-card' %}{% render card %}{% render 'card{{ x }}' %}`,
    ],
    ['other tags', `{% assign card = 'card' %}{% block card %}{% endblock %}`],
  ])('does not change %s', async (_what, html) => {
    expect(await renamed(html)).toBe(html)
  })

  it.each([
    [`{% render 'card' for cards %}`, `{% render 'tile-2' for cards as card %}`],
    [`{% render "card" with a.b, x: 1 %}`, `{% render "tile-2" with a.b as card, x: 1 %}`],
    [`{%- include 'card' for data["list"] -%}`, `{%- include 'tile-2' for data["list"] as card -%}`],
    [`{% render 'card' with a for b %}`, `{% render 'tile-2' with a as card for b as card %}`],
    [`{% liquid\n render 'card' for cards\n%}`, `{% liquid\n render 'tile-2' for cards as card\n%}`],
    [`{% render 'card' for cards as one %}`, `{% render 'tile-2' for cards as one %}`],
    [`{% render 'card' with a as card %}`, `{% render 'tile-2' with a as card %}`],
    [`{% render 'card', for: 1 %}`, `{% render 'tile-2', for: 1 %}`],
  ])('keeps the name of a variable that is named like the part: %s', async (html, result) => {
    expect(await renamed(html)).toBe(result)
  })

  it.each([
    [
      'an unclosed block',
      `{% if x %}{% render 'card' for cards %}`,
      `{% if x %}{% render 'tile-2' for cards as card %}`,
    ],
    ['an unclosed tag', `{% include "card"`, `{% include "tile-2"`],
    [
      'an unknown tag in a liquid tag',
      `{% nonsense %}{% liquid\n\n  render 'card' with x\n  nonsense\n%}`,
      `{% nonsense %}{% liquid\n\n  render 'tile-2' with x as card\n  nonsense\n%}`,
    ],
    [
      'comments',
      `{% if %}{% comment %}{% render 'card' %}{% endcomment %}{%- render 'card' -%}`,
      `{% if %}{% comment %}{% render 'card' %}{% endcomment %}{%- render 'tile-2' -%}`,
    ],
    ['wrong arguments', `{% render 'card' ) %}{% if %}`, `{% render 'tile-2' ) %}{% if %}`],
  ])('works in a body that is not valid Liquid: %s', async (_what, html, result) => {
    expect(await renderer.renamePart(html, rename, 'account')).toMatchObject({
      html: result,
      references: ['tile-2'],
      parses: false,
    })
  })

  it('changes nothing that readers see', async () => {
    const piece = fc.constantFrom(
      'text ',
      "'card' ",
      '\n',
      'ä😀 ',
      `{% render 'card' %}`,
      `{%- render "card" for pages -%}`,
      `{% render 'card' with page.slug %}`,
      `{% include 'card', title: 1 %}`,
      `{% include "card" for pages %}`,
      `{% render 'card' with space.name as card %}`,
      `{% liquid\n assign y = 'card'\n render 'card' with y\n%}`,
      `{% raw %}{% render 'card' %}{% endraw %}`,
      `{% comment %}{% render 'card' %}{% endcomment %}`,
      `{% assign card = 'mine' %}`,
      `{{ card }}`,
      `{% if page %}`,
      `{% endif %}`,
      `{% for card in pages %}`,
      `{% endfor %}`,
    )
    const part = `[{{ card.slug | default: card }}|{{ title }}]`
    const pages = ['one', 'two'].map(slug => ({ slug, url: `https://salt.example/${slug}` }))
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async pieces => {
        const html = pieces.join('')
        const before = await renderIn(renderer, html, { pages, parts: { card: part } })
        const after = await renderIn(renderer, await renamed(html), { pages, parts: { [rename.to]: part } })
        expect(after.ok && after.html).toEqual(before.ok && before.html)
      }),
      { numRuns: 150 },
    )
  })

  it('works in a body of the maximum size that is full of unclosed tags', async () => {
    const html = `${'{%comment%}{{'.repeat(20_000)}{% render "card" %}`
    expect(await renamed(html)).toBe(html.replace('"card"', '"tile-2"'))
  })
})
