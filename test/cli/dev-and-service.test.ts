import { readdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Starter, starters } from '../../routers/api/rules.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import * as demo from '../../server/demo/site.ts'
import { type HostResponse, requestHost } from '../support/request-host.ts'
import { uniqueName, useTestService } from '../support/test-service.ts'
import { type Dev, useDev } from './support/dev.ts'
import { useComputer } from './support/terminal.ts'

const service = useTestService()
const computer = useComputer()
const dev = useDev(computer)

/** A site on the service. */
interface Site {
  subdomain: string
  key: string
  api: ReturnType<typeof service.rest>
}

const newSite = async (starter?: Starter): Promise<Site> => {
  const owner = await service.signUp()
  const subdomain = uniqueName('twin')
  // A folder has no name, so the site has the one that dev gives it.
  await owner.spaces.create({ subdomain, name: subdomain, ...(starter && { starter }) })
  const { secret: key } = await owner.keys.issue({ subdomain, label: 'test', scopes: [...SPACE_SCOPES] })
  return { subdomain, key, api: service.rest(key, `/v1/spaces/${subdomain}`) }
}

const fill = async (
  { api }: Site,
  content: Pick<typeof demo, 'files' | 'parts' | 'data' | 'pages'> | typeof FAULTY,
) => {
  const created = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer
    if (status >= 300) throw new Error(JSON.stringify(body))
  }
  for (const file of content.files) await created(api.post('/files', { encoding: 'text', ...file }))
  for (const part of content.parts) await created(api.post('/parts', part))
  for (const { key, value } of content.data) await created(api.put(`/data/${key}`, { value }))
  for (const page of content.pages) await created(api.post('/pages', page))
}

/** A site whose pages show errors, each as a static and as a scripted page. */
const FAULTY = {
  files: [
    // In the order of their names: a folder does not tell which file came first.
    { name: 'drawing.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
    { name: 'notes.txt', content: 'Text. '.repeat(500) },
    { name: 'page.html', content: '<p>Downloaded, not shown</p>' },
    { name: 'Überschrift "1".bin', content: 'bytes' },
  ],
  parts: [{ name: 'broken', html: 'a\n{% for %}' }],
  data: [{ key: 'one', value: { text: '<b>' } }],
  pages: (['static', 'scripted'] as const).flatMap(kind =>
    Object.entries({
      syntax: '<p>\n{% if %}',
      'missing-part': "{% render 'nowhere' %}",
      'missing-later': "{% assign name = 'nowhere' %}{% render name %}",
      'broken-part': "{% include 'broken' %}",
      render: '{{ 1 | where_exp: "x", "(" }}',
      'too-large': `{% assign a = "x" %}${'{% assign a = a | append: a %}'.repeat(30)}`,
      value: '{{ 1 | divided_by: 0 }}',
      fine: '<!doctype html><title>{{ page.url }}</title><script>a()</script>{{ data.one.text }}{% for f in files %}{{ f.url }} {{ f.content_type }} {{ f.size }}{% endfor %}',
    }).map(([slug, html]) => ({ slug: `${kind}-${slug}`, kind, html })),
  ),
}

/** Copies a site into a folder. All files of the folder get the same time, as in a site that was imported at once. */
const cloned = async ({ subdomain, key }: Site): Promise<string> => {
  const at = `${service.root}/admin/spaces/${subdomain}`
  computer.answers.push(key)
  await computer.space('', ['login', '--key', at])
  expect(await computer.space('', ['clone', at])).toMatchObject({ code: 0, err: '' })
  const folder = path.join(computer.home, subdomain)
  const now = new Date()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await utimes(path.join(entry.parentPath, entry.name), now, now)
  return folder
}

const LISTS = new Set(['/articles', '/articles.atom', '/sitemap.xml'])
const PATHS = [
  '/',
  ...LISTS,
  '/robots.txt',
  '/favicon.ico',
  '/nowhere',
  '/%zz',
  '/ARTICLES',
  '/?page=2',
  '/_page.js',
]

/** What is the same on the service and in dev, after ids, origins and times are replaced. */
const essence = ({ status, headers, text }: HostResponse, path: string, origin: string, port: number) => {
  const plain = text
    .replace(/<script data-revision=.*<\/script>$/s, '')
    .replace(/ Are you an author of this site\?\n<a href="[^"]*" target="_top">Open in the editor<\/a>/, '')
    .replaceAll(origin, 'http://site')
    .replaceAll(`.localhost:${port}`, '.localhost')
    .replaceAll(/\b[2-9a-z]{16}(?=\.(?:pages|files)\.localhost|<\/id>)/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, 'TIME')
    .replaceAll(/\d+ \p{L}+ \d{4}(?=<\/time>)/gu, 'DAY')
  const { location, link, ...others } = headers
  const url = (text: string | undefined) =>
    text?.replaceAll(origin, 'http://site').replaceAll(`.localhost:${port}`, '.localhost')
  return {
    status,
    // Times of creation are not in the folder, so the order of the pages can differ.
    text: LISTS.has(path) ? plain.split('\n').sort() : plain,
    location: url(location),
    link: url(link as string | undefined),
    ...Object.fromEntries(
      KEPT.filter(name => path.startsWith('/') || name !== 'cache-control').map(name => [name, others[name]]),
    ),
  }
}
const KEPT = [
  'content-type',
  'content-encoding',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'access-control-allow-origin',
  'allow',
  'cache-control',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-content-type-options',
  'x-robots-tag',
  'x-template-error',
]

/** Compares all that the service and dev answer for a site. */
const expectEqualAnswers = async ({ subdomain, api }: Site, folder: string, site: Dev) => {
  const host = `${subdomain}.sites.localhost`
  const both = async (
    path: string,
    hosts: [string, string],
    options: Parameters<typeof requestHost>[3] = {},
  ) => {
    const there = await requestHost(service, hosts[0], path, options)
    const here = await site.open(path, { ...options, host: hosts[1] })
    const key = hosts[0].includes('.files.') ? 'file' : path
    return [
      essence(here, key, `http://localhost:${site.port}`, site.port),
      essence(there, key, `http://${host}`, service.port),
      here,
    ] as const
  }
  const { body: pages } = await api.get<{ data: { id: string; slug: string; kind: string }[] }>('/pages')
  expect(pages.data.length).toBeGreaterThan(0)
  for (const path of [...PATHS, ...pages.data.map(({ slug }) => `/${slug}`)]) {
    const [here, there] = await both(path, [host, 'localhost'])
    expect([path, here]).toEqual([path, there])
  }
  for (const { id, slug } of pages.data.filter(({ kind }) => kind === 'scripted')) {
    const ownId = /http:\/\/(\w{16})\.pages\.localhost/.exec((await site.open(`/${slug}`)).text)?.[1]
    // An error in the source is shown without a frame.
    if (ownId === undefined) continue
    for (const path of [`/${slug}?a=1`, '/', '/elsewhere']) {
      const [here, there] = await both(path, [`${id}.pages.localhost`, `${ownId}.pages.localhost`])
      expect([slug, path, here]).toEqual([slug, path, there])
    }
  }
  // A page of the folder alone, which says which file has which address.
  await writeFile(
    path.join(folder, 'pages/all-files.liquid'),
    '{% for f in files %}{{ f.url }} {{ f.name }}\n{% endfor %}',
  )
  const next = await site.listen()
  const text = async () => {
    const frame = await site.open('/all-files')
    const id = /http:\/\/(\w{16})\.pages\.localhost/.exec(frame.text)?.[1]
    return id === undefined ? undefined : (await site.open('/', { host: `${id}.pages.localhost` })).text
  }
  let list = await text()
  while (list === undefined) {
    await next()
    list = await text()
  }
  const { body: files } = await api.get<{ data: { id: string; name: string }[] }>('/files')
  for (const { id, name } of files.data) {
    const escaped = name.replaceAll('"', '&#34;')
    const ownId = list
      .split('\n')
      .find(line => line.endsWith(` ${escaped}`))
      ?.match(/http:\/\/(\w{16})\./)?.[1]
    expect([name, ownId]).toEqual([name, expect.any(String)])
    const hosts: [string, string] = [`${id}.files.localhost`, `${ownId}.files.localhost`]
    for (const headers of [
      {},
      { range: 'bytes=1-3' },
      { range: 'bytes=9999999-' },
      { 'accept-encoding': 'gzip' },
    ]) {
      const [here, there] = await both('/', hosts, { headers: headers as Record<string, string> })
      expect([name, here]).toEqual([name, there])
    }
  }
}

describe('space dev answers exactly as the service', () => {
  test.for(starters)('for the starter %s', async starter => {
    const site = await newSite(starter)
    const folder = await cloned(site)
    await expectEqualAnswers(site, folder, await dev(folder))
  })

  test('for the demo', async () => {
    const site = await newSite()
    await fill(site, demo)
    const folder = await cloned(site)
    await expectEqualAnswers(site, folder, await dev(folder))
  })

  test('for pages with errors', async () => {
    const site = await newSite()
    await fill(site, FAULTY)
    const folder = await cloned(site)
    await expectEqualAnswers(site, folder, await dev(folder))
  })
})
