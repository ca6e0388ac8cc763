import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Renderer, type RenderRequest, startRenderer } from '../../routers/liquid/renderer.ts'
import { childrenOf } from './children.ts'
import { htmlOf, renderIn, requestFor } from './site.ts'

const ENDLESS = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}'
const CHANCE = '{% assign numbers = (1..2000) %}{{ numbers | sample }}'

let renderer: Renderer
let before: number[]
const children = () => childrenOf(process.pid).filter(pid => !before.includes(pid))

/** From now on nothing is evaluated. */
const freeze = () => {
  for (const pid of children()) process.kill(pid, 'SIGSTOP')
}

const start = async (processes: number) => {
  renderer = startRenderer({ processes })
  await renderIn(renderer, 'up')
  await vi.waitFor(() => expect(children()).toHaveLength(processes + 1), 10_000)
}

beforeEach(() => {
  before = childrenOf(process.pid)
})
afterEach(() => renderer.stop())

describe('the body of a page', () => {
  it('is read once for a revision, not for every reader', async () => {
    await start(1)
    const body = vi.fn<RenderRequest['body']>(() => Promise.resolve('text'))
    const request = { ...requestFor(''), body }
    for (let turn = 0; turn < 3; turn++) expect(htmlOf(await renderer.render(request))).toBe('text')
    expect(body).toHaveBeenCalledTimes(1)
  })

  it('is read again when the space has another revision', async () => {
    await start(1)
    const request = requestFor('one', {}, 'same')
    expect(htmlOf(await renderer.render(request))).toBe('one')
    const { page } = request
    expect(htmlOf(await renderer.render({ ...requestFor('two', {}, 'same'), page }))).toBe('two')
  })

  it('that cannot be read is told to the reader', async () => {
    await start(1)
    const body = () => Promise.reject(new Error('no database'))
    await expect(renderer.render({ ...requestFor(''), body })).rejects.toThrow('no database')
    expect(htmlOf(await renderIn(renderer, 'fine'))).toBe('fine')
  })
})

describe('readers', () => {
  it('who come to the same page at the same time share one evaluation', async () => {
    await start(1)
    const request = requestFor(CHANCE)
    const seen = await Promise.all(Array.from({ length: 10 }, () => renderer.render(request)))
    expect(new Set(seen.map(htmlOf)).size).toBe(1)
  })

  it('who come one after the other do not', async () => {
    await start(1)
    const request = requestFor(CHANCE)
    const seen = new Set<string>()
    for (let turn = 0; turn < 10; turn++) seen.add(htmlOf(await renderer.render(request)))
    expect(seen.size).toBeGreaterThan(1)
  })

  it('of a page that keeps being cut off are told so without another try', async () => {
    await start(1)
    const request = requestFor(ENDLESS)
    for (let turn = 0; turn < 2; turn++) await renderer.render(request)
    freeze()
    expect(await renderer.render(request)).toMatchObject({ ok: false, error: { kind: 'timeout' } })
    expect(children()).toHaveLength(2)
  })

  it('of one space do not wait for all readers of another', async () => {
    await start(1)
    const order: string[] = []
    const open = async (name: string, request: RenderRequest) => {
      await renderer.render(request)
      order.push(name)
    }
    const many = Array.from({ length: 20 }, () => open('busy', requestFor('x', {}, 'busy')))
    await Promise.all([...many, open('calm', requestFor('x', {}, 'calm'))])
    expect(order.indexOf('calm')).toBeLessThan(4)
  })

  it('of a page that was quick do not wait for pages that nobody knows yet', async () => {
    await start(2)
    const quick = requestFor('quick')
    await renderer.render(quick)
    const order: string[] = []
    const open = async (name: string, request: RenderRequest) => {
      await renderer.render(request)
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
    await start(1)
    const request = requestFor(page, { data: { title: 'News' } })
    await renderer.render(request)
    freeze()
    expect(await renderer.head(request)).toMatchObject({ ok: true, title: 'News' })
  })

  it('is found anew at another revision', async () => {
    await start(1)
    for (const title of ['One', 'Two']) {
      const request = requestFor(page, { data: { title } }, 'same')
      expect(await renderer.head({ ...request, page: { ...request.page, id: 'same' } })).toMatchObject({
        title,
      })
    }
  })

  it.each([
    ['chance', `<title>${CHANCE}</title>`],
    ['the clock', '<title>{{ "now" | date: "%s.%N" }}</title>'],
  ])('is found anew each time where it is up to %s', async (_what, html) => {
    await start(1)
    const request = requestFor(html)
    const titles = new Set<string | null>()
    for (let turn = 0; turn < 10; turn++) {
      const head = await renderer.head(request)
      titles.add(head.ok ? head.title : null)
    }
    expect(titles.size).toBeGreaterThan(1)
  })
})
