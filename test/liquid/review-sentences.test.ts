import { describe, expect, it } from 'vitest'
import { reviewSentences } from '../../facades/shared/review-sentences.ts'
import { sharedRenderer } from '../support/renderer.ts'
import { requestFor, type Trial } from './site.ts'

const renderer = sharedRenderer()

const sentencesFor = async (html: string, trial?: Trial) => {
  const request = requestFor(html, trial)
  const outcome = await renderer.render({ ...request, page: { ...request.page, reviewed: true } })
  if (!outcome.ok || !outcome.review) throw new Error('no review')
  return reviewSentences(outcome.review)
}

describe('the sentences of a review', () => {
  it('name the position, the problem and the most similar filter', async () => {
    expect(await sentencesFor('<p>\n{{ "a" | upcse }}')).toEqual([
      'Page, line 2, column 10: There is no filter “upcse”, so the value is not changed. Did you mean “upcase”?',
    ])
  })

  it('name the part that has the problem', async () => {
    expect(await sentencesFor('{% render "nav" %}', { parts: { nav: '{{ 1 | frobnicate }}' } })).toEqual([
      'Part nav, line 1, column 8: There is no filter “frobnicate”, so the value is not changed.',
    ])
  })

  it('say which elements and attributes were removed, and how often', async () => {
    const html = '<form><input><input></form><p onclick="x()">a</p>'
    expect(await sentencesFor(html, { kind: 'static' })).toEqual([
      'Page, line 1: Removed when shown: <form>. Static pages have no forms. The text inside this element is kept.',
      'Page, line 1: Removed when shown: <input>, 2 times. Static pages have no forms. The text inside this element is kept.',
      'Page, line 1: Removed when shown: onclick of <p>. Static pages run no scripts. Choose the kind “scripted” for a page that needs them.',
    ])
  })

  it('say that a `<select>` is removed together with its text', async () => {
    const html = '<select><option>One</option></select>'
    expect(await sentencesFor(html, { kind: 'static' })).toEqual([
      'Page, line 1: Removed when shown: <select>. Static pages have no forms. A list of choices is removed with its text.',
    ])
  })

  it('name the part or record in which a link or removed markup is written', async () => {
    const html =
      '<nav>\n{% for m in data.menu %}<a href="{{ m.href }}">a</a><a href="/{{ m.slug }}">b</a>{% endfor %}'
    const trial: Trial = {
      kind: 'static',
      parts: { nav: `${html}{% include "more" %}`, more: '<p>\n<b\nonclick="x()">c</b>' },
      data: { menu: [{ href: '/nowhere', slug: 'lost' }] },
    }
    expect(await sentencesFor('{% include "nav" %}', trial)).toEqual([
      'Part more, line 2: Removed when shown: onclick of <b>. Static pages run no scripts. Choose the kind “scripted” for a page that needs them.',
      'Record menu[0].href: The link “/nowhere” leads nowhere: the site has no page “nowhere”.',
      'Record menu[0].slug: The link “/lost” leads nowhere: the site has no page “lost”.',
    ])
  })

  it('name the place in a record, as templates write it', async () => {
    const trial: Trial = {
      kind: 'static',
      data: { about: { 'short text': [1, '<p>', '<b onclick="x()">b</b>'] }, intro: '<form>' },
    }
    expect(
      await sentencesFor('{{ data.about["short text"] | join | raw }}{{ data.intro | raw }}', trial),
    ).toEqual([
      expect.stringMatching(/^Record about\["short text"\]\[2\]: Removed when shown: onclick of <b>/),
      expect.stringMatching(/^Record intro: Removed when shown: <form>/),
    ])
  })

  it('start with the position, without the name of a page or part, if only one body was analyzed', async () => {
    const { hints } = await renderer.analyze('{{ 1 | plus }}', 'account')
    expect(reviewSentences({ hints })).toEqual([
      'Line 1, column 8: The filter “plus” takes 1 argument, but has 0. Missing arguments count as empty.',
    ])
  })
})
