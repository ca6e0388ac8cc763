import { readdirSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { MARK_ATTRIBUTE, type PageMarks } from '../../routers/api/renderer.ts'
import { sharedRenderer } from '../support/renderer.ts'
import { body } from './random-templates.ts'
import { htmlOf, renderIn, requestFor, type Trial } from './site.ts'

const renderer = sharedRenderer()

const markedIn = async (html: string, trial: Trial = {}) => {
  const outcome = await renderer.renderMarked(requestFor(html, trial))
  if (!outcome.ok) throw new Error(outcome.error.message)
  return { html: outcome.html.toString(), marks: outcome.marks }
}

const withoutMarks = (html: string) => html.replaceAll(new RegExp(` ${MARK_ATTRIBUTE}="\\d+"`, 'g'), '')

/** Describes where the elements of a page are written, with the texts at these places. */
const elementsOf = async (html: string, trial: Trial = {}) => {
  const { marks } = await markedIn(html, trial)
  return describeMarks(marks!, html, trial)
}

const describeMarks = ({ bodies, elements }: PageMarks, html: string, trial: Trial) => {
  const sourceOf = (body: number) =>
    bodies[body]!.body === 'page' ? html : trial.parts![bodies[body]!.name]!
  const slice = ({ body, begin, end }: { body: number; begin: number; end: number }) =>
    sourceOf(body).slice(begin, end)
  return elements.map(({ tagEnd, contents, picture, ...element }) => ({
    name: element.name,
    in: bodies[element.body]!.name,
    source: slice(element),
    tag: slice({ ...element, end: tagEnd }),
    isLiteral: element.isLiteral,
    values: contents
      .filter(({ isLiteral }) => !isLiteral)
      .map(({ record, isInTag, isUnchanged, isWholeText, ...range }) => ({
        written: slice(range),
        record: record ? record.join('/') : null,
        ...(isUnchanged && { isUnchanged }),
        ...(isInTag && { isInTag }),
        ...(isWholeText && { isWholeText }),
      })),
    texts: contents.filter(({ isLiteral }) => isLiteral).map(slice),
    text: contents.filter(({ isLiteral, isWholeText }) => isLiteral && isWholeText).map(slice)[0] ?? null,
    picture: picture && {
      by: picture.by,
      at: picture.source ? slice(picture.source) : picture.record!.join('/'),
      in: picture.source && bodies[picture.source.body]!.name,
    },
  }))
}

/** The values in the elements of a page, each with the record that it came from. */
const valuesOf = async (html: string, trial: Trial) =>
  (await elementsOf(html, trial)).flatMap(({ values }) =>
    values.map(({ record, isWholeText }) => `${record}${isWholeText ? ' unchanged' : ''}`),
  )

const ARTICLES = [
  { title: 'First', tags: ['a', 'b'], isPinned: false, author: { name: 'Ann' } },
  { title: 'Second <2>', tags: [], isPinned: true, author: { name: 'Bob' } },
]
const DATA = { site: { tagline: 'Slow & quiet', links: ['one', 'two'] }, articles: ARTICLES, motto: 'Go' }

describe('a mark', () => {
  it('says where an element of the page is written, and its literal text', async () => {
    expect(
      await elementsOf('<main>\n  <h1 class="big"> Hello &amp; welcome </h1><br>\n</main>'),
    ).toMatchObject([
      { name: 'main', in: 'menu', tag: '<main>', text: null },
      {
        name: 'h1',
        source: '<h1 class="big"> Hello &amp; welcome </h1>',
        tag: '<h1 class="big">',
        isLiteral: true,
        values: [],
        text: 'Hello &amp; welcome',
      },
      { name: 'br', source: '<br>' },
    ])
  })

  it('names the part in which an element is written', async () => {
    const trial = {
      parts: { head: '<header>Salt</header>', frame: '<main>{% block x %}{% endblock %}</main>' },
    }
    const html = '{% layout "frame" %}{% block x %}{% include "head" %}<p>text</p>{% endblock %}'
    expect(await elementsOf(html, trial)).toMatchObject([
      { name: 'main', in: 'frame', tag: '<main>' },
      { name: 'header', in: 'head', source: '<header>Salt</header>', text: 'Salt' },
      { name: 'p', in: 'menu', source: '<p>text</p>' },
    ])
  })

  it('of a printed element leads to the output that prints it', async () => {
    expect(
      await elementsOf('<div>{{ data.motto | raw }}</div>', { data: { motto: '<b>x</b>' } }),
    ).toMatchObject([
      { name: 'div', isLiteral: true },
      {
        name: 'b',
        isLiteral: false,
        source: '{{ data.motto | raw }}',
        values: [{ record: 'motto' }, { record: 'motto' }],
      },
    ])
  })

  it('of a cell that a tag prints leads to the tag, in every row', async () => {
    const html =
      '<table>{% tablerow link in data.site.links cols: 1 %}<b>{{ link }}</b>{% endtablerow %}</table>'
    const found = await elementsOf(html, { data: DATA })
    const cells = found.filter(({ name }) => name === 'td')
    expect(cells.map(({ source }) => source)).toEqual(
      Array(2).fill('{% tablerow link in data.site.links cols: 1 %}'),
    )
    expect(found.filter(({ name }) => name === 'b').map(({ source }) => source)).toEqual(
      Array(2).fill('<b>{{ link }}</b>'),
    )
  })

  it('lists each literal text beside other elements and values', async () => {
    const html =
      '<p>\n  Hello &amp; <b>you</b>, {{ data.motto }} now<br>{% if true %} and then {% endif %}</p>'
    expect(await elementsOf(html, { data: DATA })).toMatchObject([
      {
        name: 'p',
        texts: ['Hello &amp;', ',', 'now', 'and then'],
        text: null,
        values: [{ record: 'motto' }],
      },
      { name: 'b', texts: ['you'], text: 'you' },
      { name: 'br', texts: [] },
    ])
  })

  const FILES = ['hill.svg', 'ann.png'].map(name => ({
    name,
    contentType: 'image/png',
    size: 1,
    url: `https://${name.slice(0, 3)}.example/?a&b`,
  }))
  const PEOPLE = [{ image: 'ann.png', url: 'https://x.example/' }]
  const find = (name: string) => `{% assign i = files | where: "name", ${name} | first %}`

  it.each([
    ['a literal address', '<img alt="" src="/a.png">', { by: 'url', at: '/a.png', in: 'menu' }],
    ['an address without quotes', '<img src = /a.png alt>', { by: 'url', at: '/a.png', in: 'menu' }],
    ['an address in a record', '<img src="{{ data.people[0].url }}">', { by: 'url', at: 'people/0/url' }],
    [
      'a file with a literal name',
      `${find("'hill.svg'")}<img src="{{ i.url }}">`,
      { by: 'name', at: 'hill.svg', in: 'menu' },
    ],
    [
      'a file with a name in a record',
      `{% for p in data.people %}${find('p.image')}<img src='{{ i.url }}'>{% endfor %}`,
      { by: 'name', at: 'people/0/image' },
    ],
    [
      'a file that a loop finds by its name',
      '{% for f in files %}{% if f.name == "hill.svg" %}<img src="{{ f.url }}">{% endif %}{% endfor %}',
      { by: 'name', at: 'hill.svg', in: 'menu' },
    ],
    ['a file in a part', '{% include "head" %}', { by: 'name', at: 'hill.svg', in: 'head' }],
    ['any file', '<img src="{{ files.first.url }}">', null],
    ['a part of an address', '<img src="{{ data.people[0].url }}small.png">', null],
    ['no address', '<img alt="src=">', null],
  ])('says where the picture with %s is chosen', async (_, html, picture) => {
    const parts = { head: `${find('"hill.svg"')}<img src="{{ i.url }}">` }
    const found = await elementsOf(html, { data: { people: PEOPLE }, files: FILES, parts })
    expect(found.at(-1)!.picture).toEqual(picture && { in: null, ...picture })
  })

  it('lists the values that print in the tag and in the text of an element', async () => {
    const html = '<a href="/{{ data.motto }}">{{ data.site.tagline }}, {{ space.name }}</a>'
    expect(await elementsOf(html, { data: DATA })).toMatchObject([
      {
        tag: '<a href="/{{ data.motto }}">',
        text: null,
        values: [
          { written: '{{ data.motto }}', record: 'motto', isInTag: true },
          { written: '{{ data.site.tagline }}', record: 'site/tagline', isUnchanged: true },
          { written: '{{ space.name }}', record: null },
        ],
      },
    ])
  })

  it.each([
    ['a path', '<p>{{ data.site.tagline }}</p>', ['site/tagline unchanged']],
    ['a record that is a string', '<p> {{ data.motto }} </p>', ['motto unchanged']],
    ['an assigned object', '{% assign s = data.site %}<p>{{ s.tagline }}</p>', ['site/tagline unchanged']],
    [
      'a loop',
      '{% for a in data.articles %}<p>{{ a.title }}</p>{% endfor %}',
      ['articles/0/title unchanged', 'articles/1/title unchanged'],
    ],
    [
      'a sorted and filtered list',
      '{% assign l = data.articles | sort: "title" | reverse | where: "isPinned" %}<p>{{ l.first.author.name }}</p>',
      ['articles/1/author/name unchanged'],
    ],
    ['an index', '<p>{{ data.articles[1]["title"] }}</p>', ['articles/1/title unchanged']],
    ['an index from the end', '<p>{{ data.site.links[-1] }}</p>', ['site/links/1 unchanged']],
    [
      'first and last',
      '<p>{{ data.site.links.first }}</p><p>{{ data.site.links.last }}</p>',
      ['site/links/0 unchanged', 'site/links/1 unchanged'],
    ],
    ['a part with a value', '{% render "card" with data.articles[0] %}', ['articles/0/title unchanged']],
    [
      'a part for each element',
      '{% render "card" for data.articles %}',
      ['articles/0/title unchanged', 'articles/1/title unchanged'],
    ],
    [
      'captured text',
      '{% capture t %}<p>{{ data.motto }}</p>{% endcapture %}{% if true %}{{ t }}{% endif %}',
      ['motto unchanged'],
    ],
    ['a layout', '{% layout "frame" %}<p>{{ data.motto }}</p>', ['motto unchanged']],
    [
      'the content of a layout',
      '{% layout "shop" %}{% block x %}{{ block.super }}{% endblock %}',
      ['motto unchanged'],
    ],
    ['echo', '<p>{% echo data.motto %}</p>', ['motto unchanged']],
    ['a default that is not needed', '<p>{{ data.motto | default: space.name }}</p>', ['motto unchanged']],
    ['a filter that changes the text', '<p>{{ data.motto | upcase }}</p>', ['motto']],
    ['a filter with an argument', '<p>{{ data.motto | append: data.site.tagline }}</p>', ['motto']],
    ['a joined list', '<p>{{ data.site.links | join: ", " }}</p>', ['site/links']],
    ['a number of elements', '<p>{{ data.articles.size }}</p>', ['articles']],
    [
      'an element of a list of strings',
      '{% for l in data.site.links %}<p>{{ l }}</p>{% endfor %}',
      ['null', 'null'],
    ],
    [
      'a condition before an output',
      '{% for l in data.site.links %}{% if data.motto %}<p>{{ l }}</p>{% endif %}{% break %}{% endfor %}',
      ['null'],
    ],
    ['another variable', '<p>{{ space.name }}</p>', ['null']],
  ])('finds the record of a value from %s', async (_, html, values) => {
    const parts = {
      card: '<p>{{ card.title }}</p>',
      frame: '<main>{% block %}{% endblock %}</main>',
      shop: '{% block x %}<p>{{ data.motto }}</p>{% endblock %}',
    }
    expect(await valuesOf(html, { data: DATA, parts })).toEqual(values)
  })

  it('is right after Windows line breaks and characters outside the BMP', async () => {
    const html = '\r\n😀\r\n<p>\r\n{{ data.motto }}\r\n</p>\r\n<b>x</b>'
    expect(await elementsOf(html, { data: DATA })).toMatchObject([
      {
        source: '<p>\r\n{{ data.motto }}\r\n</p>',
        values: [{ written: '{{ data.motto }}', isWholeText: true }],
      },
      { source: '<b>x</b>', text: 'x' },
    ])
  })

  it('is only in start tags of visible elements', async () => {
    const html =
      '<!doctype html><title><b></title><style>a<b></style><!-- <b> --><script>"<b>"</script><textarea><b></textarea>' +
      '<p title="<b>">&lt;b></p><svg><title>x</title><![CDATA[ > <b> ]]></svg><iframe><b></iframe><noscript><b></noscript>'
    const { html: marked, marks } = await markedIn(html)
    expect(marks!.elements.map(({ name }) => name)).toEqual(['textarea', 'p', 'svg', 'iframe', 'noscript'])
    expect(withoutMarks(marked)).toBe(html)
  })
})

describe('without its marks', () => {
  const trial = (kind: 'scripted' | 'static'): Trial => ({
    kind,
    parts: { part: '<i>{{ x }}</i>' },
    data: { list: [{ n: '<b>1</b>' }, { n: 2 }, 'three', null] },
  })

  it.each(['scripted', 'static'] as const)('a %s draft is exactly what readers get', async kind => {
    const pieces = fc.constantFrom(
      '<p>',
      '</p>',
      '<b class=x>',
      '</b>',
      '<table>',
      '<td>',
      '<',
      '<!--',
      '"',
      '<li>\r\n',
    )
    const html = fc.array(fc.oneof(body, pieces), { maxLength: 12 }).map(all => all.join(''))
    await fc.assert(
      fc.asyncProperty(html, async written => {
        const whole = await renderIn(renderer, written, trial(kind))
        fc.pre(whole.ok)
        // Without marks if they would change the document.
        expect(withoutMarks((await markedIn(written, trial(kind))).html)).toBe(htmlOf(whole))
      }),
      { numRuns: 60 },
    )
  })

  it('a draft with an element that a parser repeats has no marks if they would change it', async () => {
    const html = `<p>${'<b>'.repeat(5)}one<p>two`
    const { html: shown, marks } = await markedIn(html, { kind: 'static' })
    expect(marks).toBeUndefined()
    expect(shown).toBe(htmlOf(await renderIn(renderer, html, { kind: 'static' })))
  })
})

/** The visible texts of a document, each with the number of the element that it is directly in. */
const visibleTexts = (html: string) => {
  const texts: { text: string; mark: number }[] = []
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    if ('tagName' in node && ['head', 'style', 'script'].includes(node.tagName)) return
    if ('value' in node && 'parentNode' in node && node.value.trim() !== '') {
      const { attrs } = node.parentNode as DefaultTreeAdapterTypes.Element
      const mark = attrs.find(({ name }) => name === MARK_ATTRIBUTE)?.value
      texts.push({ text: node.value, mark: mark === undefined ? Number.NaN : Number(mark) })
    }
    if ('childNodes' in node) for (const child of node.childNodes) walk(child)
  }
  walk(parse(html))
  return texts
}

/** Removes what is literal or a string of a record from a text. What is left was printed by a tag. */
const printedByTags = (
  text: string,
  { texts, values }: Awaited<ReturnType<typeof elementsOf>>[number],
  data: object,
) => {
  const strings = values
    .filter(({ record, isUnchanged }) => record && isUnchanged)
    .map(({ record }) => record!.split('/').reduce<unknown>((value, key) => (value as never)[key], data))
  return [...texts, ...(strings as string[])]
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, part) => rest.replace(part, ''), text)
    .trim()
}

describe('every page of a starter', () => {
  const folder = new URL('../../routers/content/starters/sites/', import.meta.url)
  const read = (site: string, kind: string, ending: string) =>
    Object.fromEntries(
      readdirSync(new URL(`${site}/${kind}/`, folder))
        .filter(name => name.endsWith(ending))
        .map(name => [
          name.slice(0, -ending.length || undefined),
          readFileSync(new URL(`${site}/${kind}/${name}`, folder), 'utf8'),
        ]),
    )
  const trialsOf = (site: string): [html: string, Trial][] => {
    const data = Object.fromEntries(
      Object.entries(read(site, 'data', '.json')).map(([key, json]) => [key, JSON.parse(json)]),
    )
    const pages = read(site, 'pages', '.liquid')
    const files = Object.keys(read(site, 'files', ''))
    const shared = {
      parts: read(site, 'parts', '.liquid'),
      data,
      pages: Object.keys(pages).map(name => ({ slug: name, url: `/${name}` })),
      files: files.map(name => ({ name, contentType: 'image/svg+xml', size: 1, url: `/files/${name}` })),
    }
    return Object.entries(pages).map(([slug, html]) => [html, { ...shared, slug }])
  }

  it.each(readdirSync(folder))('of %s has marks that name the source of each element', async site => {
    for (const [html, trial] of trialsOf(site)) {
      const { html: marked, marks } = await markedIn(html, trial)
      expect(withoutMarks(marked)).toBe(htmlOf(await renderIn(renderer, html, trial)))
      const described = describeMarks(marks!, html, trial)
      expect(described.length).toBeGreaterThan(10)
      const misplaced = described.filter(
        ({ name, source, isLiteral }) => isLiteral && !new RegExp(`^<${name}[\\s>]`, 'i').test(source),
      )
      expect(misplaced).toEqual([])
    }
  })

  it.each(readdirSync(folder))(
    'of %s has for each visible text and picture the field or the tag that it comes from',
    async site => {
      const lost: string[] = []
      let count = 0
      for (const [html, trial] of trialsOf(site)) {
        const { html: marked, marks } = await markedIn(html, trial)
        const described = describeMarks(marks!, html, trial)
        for (const { text, mark } of visibleTexts(marked)) {
          const element = described[mark]
          const rest = element && printedByTags(text, element, trial.data!)
          const isLed = rest === '' || (rest && element.values.some(({ isUnchanged }) => !isUnchanged))
          if (!isLed) lost.push(`${trial.slug}: ${text}`)
          count += 1
        }
        const pictures = described.filter(({ name }) => name === 'img')
        lost.push(...pictures.filter(({ picture }) => !picture).map(({ source }) => source))
      }
      expect(lost).toEqual([])
      expect(count).toBeGreaterThan(20)
    },
  )
})
