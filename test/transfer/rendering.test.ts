import { expect, test } from 'vitest'
import { testPng } from '../support/png.ts'
import { requestHost } from '../support/request-host.ts'
import { type TestService, type TestSpace, useTestService } from '../support/test-service.ts'
import { type Mover, useMover } from './support/browser-session.ts'

const service = useTestService()
const elsewhere = useTestService({ siteDomain: 'sites.example', filesDomain: 'uploads.example:8443' })
const mover = useMover(service)
const moverElsewhere = useMover(elsewhere)

interface Item {
  id: string
  slug: string
  url: string
}

const LONGEST = `a${'-'.repeat(58)}z`

const PAGES: [slug: string, kind: 'static' | 'scripted', html: string][] = [
  [
    'index',
    'static',
    '<h1>{{ space.name }}</h1>{% for page in pages %}<a href="{{ page.url }}">{{ page.slug }}</a>{% endfor %}',
  ],
  [
    'layout',
    'static',
    "{% layout 'frame' %}{% block content %}{% render 'who', who: data.people[0].name %}{% endblock %}",
  ],
  [
    'literal',
    'static',
    '<img src="FILE"><a href="//HOST/?a=1">{% include "picture" %}</a>{{ data.links.logo }}',
  ],
  [
    'by-name',
    'static',
    '{% assign logo = files | where: "name", "Grüße \u{1F331}.txt" | first %}<img src="{{ logo.url }}" alt="{{ logo.size }}">',
  ],
  [
    'files',
    'static',
    '{% for file in files %}{{ file.name }} {{ file.contentType }} {{ file.url }}\n{% endfor %}',
  ],
  [
    'script',
    'scripted',
    '<script>document.title = {{ data.people | json }}; fetch("FILE")</script>{{ space.url }}',
  ],
  ['broken', 'static', '{% if %}'],
  ['missing', 'static', "{% render 'nothing' %}"],
  ['0', 'static', '{{ 0 }}'],
  ['a--b', 'scripted', '<b>{{ pages.size }}</b>'],
  [LONGEST, 'static', 'Ünïcödé \u{1F331}\t \u00a0\r\nlast'],
]

const fill = async ({ owner, subdomain, api }: TestSpace) => {
  await owner.spaces.rename({ subdomain, name: 'Garden ❀' })
  await owner.spaces.setIcon({ subdomain, png: await testPng({ width: 256, height: 256 }) })
  const add = async (name: string, content: string) =>
    (await api.post<Item>('/files', { name, content, encoding: 'text' })).body
  const { url } = await add('Grüße \u{1F331}.txt', 'the logo')
  await add('same.css', 'a {}')
  await add('same.css', 'b {}')
  const filled = (text: string) => text.replaceAll('FILE', url).replaceAll('HOST', new URL(url).host)
  await api.post('/parts', { name: 'frame', html: '<main>{% block content %}{% endblock %}</main>' })
  await api.post('/parts', { name: 'who', html: 'Hello {{ who }} \u{1F331}' })
  await api.post('/parts', { name: 'picture', html: filled('<img src="FILE">') })
  await api.put('/data/people', { value: [{ name: 'Zoë \u{1F469}\u200d\u{1F33E}' }, { name: '</script>' }] })
  await api.put('/data/links', { value: { logo: url }, description: 'Where things are' })
  for (const [slug, kind, html] of PAGES) {
    const { status } = await api.post('/pages', { slug, kind, html: filled(html) })
    expect(status).toBe(201)
  }
  const { data } = (await api.get<{ data: Item[] }>('/pages')).body
  await api.patch(`/pages/${data.find(({ slug }) => slug === '0')!.id}`, { html: '{{ 1 }}' })
}

/**
 * Returns what a visitor receives at every address of a site. Hosts and ids, which differ between a site and its copy,
 * are replaced.
 */
const received = async (where: TestService, { api, subdomain }: TestSpace) => {
  const pages = (await api.get<{ data: Item[] }>('/pages')).body.data
  const files = (await api.get<{ data: Item[] }>('/files')).body.data
  const { icon_url } = (await api.get<{ icon_url: string }>('')).body
  const site = new URL((await api.get<{ url: string }>('')).body.url).host
  const own: [own: string, shown: string][] = [
    ...files.map(({ url }, n): [string, string] => [new URL(url).host, `FILE-${n}`]),
    ...pages.map(({ id, slug }): [string, string] => [id, `PAGE-${slug}`]),
    [/[^/]*(?=\.png$)/.exec(icon_url)![0], 'ICON'],
    [site, 'SITE'],
    [`/admin/spaces/${subdomain}/`, '/EDITORS/'],
    // Ids in a feed contain the host of the site without its port.
    [site.split(':')[0]!, 'SITE'],
  ]
  const shown = (text: string) =>
    own
      .reduce((rest, [from, to]) => rest.replaceAll(from, to), text)
      // The id of the feed contains the day on which the site was created.
      .replace(/tag:SITE,[\d-]{10}:articles/, 'FEED')
  const paths = ['/articles', '/articles.atom', '/sitemap.xml', '/robots.txt', '/nowhere']
  const addresses: [host: string, path: string][] = [
    ...['/', ...pages.map(({ slug }) => `/${slug}`), ...paths].map((path): [string, string] => [site, path]),
    ...pages.map(({ id }): [string, string] => [`${id}.pages.localhost`, '/']),
    ...files.map(({ url }): [string, string] => [new URL(url).host, '/']),
    ['localhost', new URL(icon_url).pathname],
  ]
  const answers = new Map<string, object>()
  for (const [host, path] of addresses) {
    const { status, headers, bytes } = await requestHost(where, host, path)
    answers.set(shown(`${host}${path}`), {
      status,
      type: headers['content-type'],
      problem: headers['x-template-error'],
      body: shown(bytes.toString('latin1')),
    })
  }
  return answers
}

test.each<[string, TestService, Mover]>([
  ['a space of the same service', service, mover],
  ['a space of another service', elsewhere, moverElsewhere],
])('visitors receive the same bytes after a move to %s', async (_where, target, owner) => {
  const [space, copy] = [await mover.space(), await owner.space()]
  await fill(space)
  const before = await received(service, space)
  expect(before.size).toBe(1 + 2 * PAGES.length + 5 + 3 + 1)
  expect((await owner.put(copy.subdomain, await mover.archive(space.subdomain))).status).toBe(200)
  const after = await received(target, copy)
  expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted())
  for (const [address, answer] of before) expect([address, after.get(address)]).toEqual([address, answer])
  // Check that the compared site really contains a page with a layout and one with the address of a file.
  expect(before.get('SITE/layout')).toMatchObject({ status: 200, problem: undefined })
  expect(before.get('SITE/literal')).toMatchObject({ body: expect.stringContaining('"http://FILE-2"') })
})
