import { describe, expect, test } from 'vitest'
import { requestHost } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

/** Creates a page and returns functions that open and change it. */
const createPage = async (html: string, kind: 'static' | 'scripted' = 'static') => {
  const { api, subdomain } = await service.createSpace()
  const page = await api.post('/pages', { slug: 'page', kind, html })
  return {
    api,
    /** Returns the body that visitors get. */
    open: async () => {
      const { text } = await requestHost(service, `${subdomain}.sites.localhost`, '/page')
      return /<body>(.*)<\/body>/s.exec(text)?.[1] ?? text
    },
    change: (body: object) => api.patch(`/pages/${String(page.body.id)}`, body),
  }
}

test('after a change to anything that a template reads, the next request for its page shows the change', async () => {
  const { api, open, change } = await createPage('{{ data.count }} {{ pages.size }} {% render "part" %}')
  await api.put('/data/count', { value: 1 })
  const part = await api.post('/parts', { name: 'part', html: 'old' })
  expect([await open(), await open()]).toEqual(['1 1 old', '1 1 old'])
  await api.put('/data/count', { value: 2 })
  expect(await open()).toBe('2 1 old')
  await api.patch(`/parts/${String(part.body.id)}`, { html: 'new' })
  expect(await open()).toBe('2 1 new')
  await api.post('/pages', { slug: 'other', html: 'x' })
  expect(await open()).toBe('2 2 new')
  await change({ html: 'changed' })
  expect(await open()).toBe('changed')
})

test('a page with random values is different in each request', async () => {
  const { open } = await createPage('{% assign list = "a,b,c,d,e,f,g,h" | split: "," %}{{ list | sample }}')
  const texts = new Set(await Promise.all(Array.from({ length: 12 }, open)))
  for (let request = 0; request < 12; request++) texts.add(await open())
  expect(texts.size).toBeGreaterThan(1)
})

test('a page that becomes static loses its scripts immediately', async () => {
  const { open, change } = await createPage('<p>text</p><script>1</script>', 'scripted')
  await open()
  await change({ kind: 'static' })
  expect(await open()).not.toContain('script')
  expect(await open()).toContain('<p>text</p>')
})

describe('the document around a scripted page', () => {
  const createScripted = async () => {
    const { api, owner, subdomain } = await service.createSpace()
    const page = await api.post('/pages', { slug: 'page', kind: 'scripted', html: '<title>Old</title>' })
    const open = async (query = '') =>
      (await requestHost(service, `${subdomain}.sites.localhost`, `/page${query}`)).text
    return {
      open,
      rename: (name: string) => owner.spaces.rename({ subdomain, name }),
      change: (body: object) => api.patch(`/pages/${String(page.body.id)}`, body),
    }
  }

  test('shows a new title, and a new name of the space, in the next request', async () => {
    const { open, rename, change } = await createScripted()
    expect([await open(), await open()]).toEqual(Array(2).fill(expect.stringContaining('<title>Old</title>')))
    await change({ html: '<title>New</title>' })
    expect(await open()).toContain('<title>New</title>')
    await change({ html: '<p>No title</p>' })
    await open()
    await rename('Renamed')
    expect(await open()).toContain('Renamed</title>')
  })

  test('passes the query of each request to the frame', async () => {
    const { open } = await createScripted()
    const frames = []
    for (const query of ['', '?a=1', '', '?a=2'])
      frames.push(/<iframe src="[^"]*\/page(.*?)"/.exec(await open(query))?.[1])
    expect(frames).toEqual(['', '?a=1', '', '?a=2'])
  })
})
