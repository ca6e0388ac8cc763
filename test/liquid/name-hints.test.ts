import { describe, expect, it } from 'vitest'
import { sharedRenderer } from '../support/renderer.ts'
import { requestFor, type Trial } from './site.ts'

const renderer = sharedRenderer()

const review = (html: string, trial?: Trial) => {
  const request = requestFor(html, trial)
  return renderer.render({ ...request, page: { ...request.page, reviewed: true } })
}

async function hintsFor(html: string, trial?: Trial) {
  const outcome = await review(html, trial)
  if (!outcome.ok || !outcome.review) throw new Error('no review')
  return outcome.review.hints
}

/**
 * Returns the hints for a page with an error. A hint that suggests a name is returned as that name, any other hint as
 * its position.
 */
async function hintsBesideError(html: string, trial?: Trial) {
  const outcome = await review(html, trial)
  if (outcome.ok) throw new Error('no error')
  return outcome.hints?.map(
    ({ nearest, where, line, column }) => nearest ?? `${where.name} ${line}:${column}`,
  )
}

const records = {
  events: ['none', { title: 'Harvest' }, { places: 4 }],
  'weekly-todo': [],
  site: { title: 'Garden', owner: { name: 'Ada' } },
}
const FRAME = '<main>{% block content %}{% endblock %}</main>{% block aside %}{% endblock %}'

describe('a name that does not exist', () => {
  const rows: [html: string, message: string, nearest: string | null][] = [
    ['{{ titel }}', 'There is no variable “titel”, so its value is empty.', null],
    ['{% assign title = "a" %}{{ titel }}', 'There is no variable “titel”, so its value is empty.', 'title'],
    ['{{ sapce.name | upcase }}', 'There is no variable “sapce”, so its value is empty.', 'space'],
    ['{% for e in evnts %}{{ e }}{% endfor %}', 'There is no variable “evnts”, so its value is empty.', null],
    ['{% assign a = user.name %}', 'There is no variable “user”, so its value is empty.', null],
    ['{{ data[user] }}', 'There is no variable “user”, so its value is empty.', null],
    [
      '{% ifchanged %}{{ user }}{% endifchanged %}',
      'There is no variable “user”, so its value is empty.',
      null,
    ],
    ['{% liquid\n echo user\n%}', 'There is no variable “user”, so its value is empty.', null],
    ['{{ data.evnts }}', 'There is no data record “evnts”.', 'events'],
    ['{{ data["weekly-tood"] }}', 'There is no data record “weekly-tood”.', 'weekly-todo'],
    ['{{ data.site.titel }}', 'The record “site” has no field “titel”.', 'title'],
    ['{{ data.site["titel"] | upcase }}', 'The record “site” has no field “titel”.', 'title'],
    [
      '{% for e in data.events %}{{ e.titel }}{{ e.title }}{{ e.places }}{% endfor %}',
      'An element of “data.events” has no field “titel”.',
      'title',
    ],
    ['{{ page.title }}', '“page” has no field “title”; it has slug and url.', null],
    [
      '{% for p in pages %}{{ p.title }}{% endfor %}',
      'An element of “pages” has no field “title”; it has slug and url.',
      null,
    ],
    ['{% if space.name %}{% else %}{% render "crad" %}{% endif %}', 'There is no part “crad”.', 'card'],
    [
      '{% layout "frame" %}{% block contnet %}a{% endblock %}',
      'The layout “frame” has no block “contnet”, so this block is not shown.',
      'content',
    ],
    [
      '{% layout "frame" %} {% block content %}a{% endblock %}<p>b</p>',
      'The layout “frame” shows only blocks. Content outside blocks is not shown.',
      null,
    ],
    [
      '{% layout "inner" %}{% block aside %}a{% endblock %}{% block other %}b{% endblock %}',
      'The layout “inner” has no block “other”, so this block is not shown.',
      null,
    ],
  ]
  it.each(rows)('gets a hint: %s', async (html, message, nearest) => {
    const parts = {
      card: 'x',
      frame: FRAME,
      inner: '{% layout "frame" %}{% block content %}{% block main %}{% endblock %}{% endblock %}',
    }
    const hints = await hintsFor(`ä\n${html}`, { data: records, parts })
    expect(hints.map(hint => [hint.message, hint.nearest])).toEqual([[message, nearest]])
    expect(hints[0]).toMatchObject({ where: { body: 'page', name: 'menu' } })
    expect(hints[0]!.line).toBeGreaterThan(1)
  })

  it('gets a hint if it occurs in a part and a similar name exists', async () => {
    const hints = await hintsFor('{% include "nav" %}', { parts: { nav: '{{ sapce.name }}{{ title }}' } })
    expect(hints).toMatchObject([
      { nearest: 'space', where: { body: 'part', name: 'nav' }, line: 1, column: 4 },
    ])
  })

  it('gets a hint in a part included with `render`, even if the page has a variable with this name', async () => {
    const parts = { card: '{{ item }}{{ data.events[0].title }}' }
    const hints = await hintsFor('{% render "card", item: 1 %}', { data: records, parts })
    expect(hints).toMatchObject([
      { message: expect.stringContaining('“data: data”'), where: { name: 'card' } },
    ])
    expect(await hintsFor('{% include "card", item: 1 %}', { data: records, parts })).toEqual([])
  })

  it('gets only one hint per body, and the number of hints is limited', async () => {
    expect(await hintsFor('{{ nope }}'.repeat(9))).toHaveLength(1)
    const many = Array.from({ length: 100 }, (_, at) => `{{ nope${at} }}`).join('')
    expect(await hintsFor(many)).toHaveLength(20)
  })
})

describe('a page with an error', () => {
  const misspelled = '{{ data.evnts }}{{ 1 | pluss: 1 }}'

  it.each([
    ['a missing part', '{% render "nothing" %}', {}],
    ['an expression that does not parse', '{{ "a" | where_exp: "x", "(" }}', {}],
    ['a part that does not parse', '{% include "broken" %}', { broken: '{% if a %}' }],
  ])('also gets hints for misspelled names: %s', async (_, cause, parts) => {
    const trial = { data: records, parts }
    expect(await hintsBesideError(misspelled + cause, trial)).toEqual(['events', 'plus'])
    expect(await hintsBesideError(`${cause}\n${misspelled}`, trial)).toEqual(['events', 'plus'])
  })

  it('gets no hint for the missing part that causes the error, but gets a hint for a second missing part', async () => {
    expect(await hintsBesideError('{% render "nothing" %}')).toBeUndefined()
    const html = '{% render "nothing" %}\n{% render "neither" %}'
    expect(await hintsBesideError(html)).toEqual(['menu 2:1'])
  })

  it('gets no hint for variables that a missing or broken part may define', async () => {
    const trial = { data: records, parts: { broken: '{% assign title = 1 %}{% if a %}' } }
    expect(await hintsBesideError('{% include "nothing" %}{{ title }}{{ sapce.name }}', trial)).toEqual([
      'space',
    ])
    expect(await hintsBesideError('{% include "broken" %}{{ title }}', trial)).toBeUndefined()
    expect(await hintsBesideError('{% render "nothing" %}\n{{ title }}', trial)).toEqual(['menu 2:4'])
  })

  it('gets no hints if the evaluation of the page exceeds a limit', async () => {
    const html = `${misspelled}{% for i in (1..100000000) %}{{ i }}{% endfor %}`
    expect(await hintsBesideError(html, { data: records })).toBeUndefined()
  })
})

it.each([
  '{% if user %}a{% elsif other == 1 %}b{% endif %}{% unless user.name %}{% endunless %}{% case user %}{% when 1 %}{% endcase %}',
  '{{ title | default: space.name }}',
  '{% for e in data.events %}{{ e.title }}{{ forloop.index }}{% endfor %}{% tablerow e in data.events %}{{ tablerowloop.col }}{% endtablerow %}',
  '{% capture a %}b{% endcapture %}{{ a }}{% increment n %}{{ n }}',
  '{% for page in pages %}{{ page.slug }}{% endfor %}{{ pages.size }}{{ data.size }}{{ space.name.size }}',
  '{% for p in pages %}{{ p.url }}{% endfor %}{% for p in data.events %}{{ p.title }}{% endfor %}',
  '{% assign f = files | where: "name", "a.png" | first %}{{ f.url }}{{ files[0].contentType }}',
  '{% render "card" with data.events[0] as event %}{% render "card" for data.events as event %}',
  '{% layout "frame", title: "A" %} {% block content %}{{ block.super }}{% endblock %}',
  '{% include name %}',
  '{% for i in (1..3) %}{{ i }}{% endfor %}{{ true }}{{ nil }}{{ "text" }}{{ 1 }}',
  '{{ data.site.subtitle }}{{ data.site.title.en }}{{ data.site.size }}{{ data.events.titel }}',
  '{% if data.site.titel %}{% endif %}{{ data.site.titel | default: "a" }}',
  '{% for e in data.events %}{{ e.date }}{{ e.first }}{% endfor %}',
  '{% for e in data.site.owner %}{{ e.nmae }}{% endfor %}{% for e in data.site %}{{ e.titel }}{% endfor %}',
  '{% for e in data.events %}{% endfor %}{% assign e = data.site %}{{ e.titel }}',
])('a name gets no hint if the name exists, or if its value may be empty: %s', async html => {
  const parts = { card: '{{ event.title }}', frame: FRAME }
  expect(await hintsFor(`{% assign name = "card" %}${html}`, { data: records, parts })).toEqual([])
})
