import { expect, test } from 'vitest'
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
