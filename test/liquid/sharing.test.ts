import { describe, expect, it, vi } from 'vitest'
import type { RenderRequest } from '../../routers/core/renderer.ts'
import { useProcesses } from './processes.ts'
import { htmlOf, renderIn, requestFor } from './site.ts'

const ENDLESS = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}'
const CHANCE = '{% assign numbers = (1..2000) %}{{ numbers | sample }}'

const its = useProcesses()

describe('the body of a page', () => {
  it('is read once for a revision, not for every reader', async () => {
    await its.start(1)
    const body = vi.fn<RenderRequest['body']>(() => Promise.resolve('text'))
    const request = { ...requestFor(''), body }
    for (let turn = 0; turn < 3; turn++) expect(htmlOf(await its.renderer.render(request))).toBe('text')
    expect(body).toHaveBeenCalledTimes(1)
  })

  it('is read again when the space has another revision', async () => {
    await its.start(1)
    const request = requestFor('one', {}, 'same')
    expect(htmlOf(await its.renderer.render(request))).toBe('one')
    const { page } = request
    expect(htmlOf(await its.renderer.render({ ...requestFor('two', {}, 'same'), page }))).toBe('two')
  })

  it('that cannot be read is told to the reader', async () => {
    await its.start(1)
    const body = () => Promise.reject(new Error('no database'))
    await expect(its.renderer.render({ ...requestFor(''), body })).rejects.toThrow('no database')
    expect(htmlOf(await renderIn(its.renderer, 'fine'))).toBe('fine')
  })
})

describe('readers', () => {
  it('who come to the same page at the same time share one evaluation', async () => {
    await its.start(1)
    const request = requestFor(CHANCE)
    const seen = await Promise.all(Array.from({ length: 10 }, () => its.renderer.render(request)))
    expect(new Set(seen.map(htmlOf)).size).toBe(1)
  })

  it('who come one after the other do not', async () => {
    await its.start(1)
    const request = requestFor(CHANCE)
    const seen = new Set<string>()
    for (let turn = 0; turn < 10; turn++) seen.add(htmlOf(await its.renderer.render(request)))
    expect(seen.size).toBeGreaterThan(1)
  })

  it('of a page that keeps being cut off are told so without another try', async () => {
    await its.start(1)
    const request = requestFor(ENDLESS)
    for (let turn = 0; turn < 2; turn++) await its.renderer.render(request)
    its.freeze()
    expect(await its.renderer.render(request)).toMatchObject({ ok: false, error: { kind: 'timeout' } })
    expect(its.children()).toHaveLength(2)
  })

  it('of one space do not wait for all readers of another', async () => {
    await its.start(1)
    const order: string[] = []
    const open = async (name: string, request: RenderRequest) => {
      await its.renderer.render(request)
      order.push(name)
    }
    const many = Array.from({ length: 20 }, () => open('busy', requestFor('x', {}, 'busy')))
    await Promise.all([...many, open('calm', requestFor('x', {}, 'calm'))])
    expect(order.indexOf('calm')).toBeLessThan(4)
  })

  it('of a page that was quick do not wait for pages that nobody knows yet', async () => {
    await its.start(2)
    const quick = requestFor('quick')
    await its.renderer.render(quick)
    const order: string[] = []
    const open = async (name: string, request: RenderRequest) => {
      await its.renderer.render(request)
      order.push(name)
    }
    const unknown = Array.from({ length: 4 }, () => open('unknown', requestFor(ENDLESS)))
    await Promise.all([...unknown, open('quick', quick)])
    expect(order[0]).toBe('quick')
  })
})

describe('what a document says about itself', () => {
  const page = '<title>{{ data.title }}</title><p>text'

  it('is known from the last evaluation as long as nothing was written', async () => {
    await its.start(1)
    const request = requestFor(page, { data: { title: 'News' } })
    await its.renderer.render(request)
    its.freeze()
    expect(await its.renderer.head(request)).toMatchObject({ ok: true, title: 'News' })
  })

  it('is found anew at another revision', async () => {
    await its.start(1)
    for (const title of ['One', 'Two']) {
      const request = requestFor(page, { data: { title } }, 'same')
      expect(await its.renderer.head({ ...request, page: { ...request.page, id: 'same' } })).toMatchObject({
        title,
      })
    }
  })

  it.each([
    ['chance', `<title>${CHANCE}</title>`],
    ['the clock', '<title>{{ "now" | date: "%s.%N" }}</title>'],
  ])('is found anew each time where it is up to %s', async (_what, html) => {
    await its.start(1)
    const request = requestFor(html)
    const titles = new Set<string | null>()
    for (let turn = 0; turn < 10; turn++) {
      const head = await its.renderer.head(request)
      titles.add(head.ok ? head.title : null)
    }
    expect(titles.size).toBeGreaterThan(1)
  })
})
