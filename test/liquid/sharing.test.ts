import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { RenderRequest } from '../../routers/api/renderer.ts'
import { isRunning, send } from './process-info.ts'
import { htmlOf, renderIn, requestFor } from './site.ts'
import { useRenderer } from './use-renderer.ts'

const ENDLESS = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}'
const CHANCE = '{% assign numbers = (1..2000) %}{{ numbers | sample }}'

const test = useRenderer()

describe('reading the body of a page', () => {
  it('happens once per revision, not once per reader', async () => {
    await test.start(1)
    const body = vi.fn<RenderRequest['body']>(() => Promise.resolve('text'))
    const request = { ...requestFor(''), body }
    for (let turn = 0; turn < 3; turn++) expect(htmlOf(await test.renderer.render(request))).toBe('text')
    expect(body).toHaveBeenCalledTimes(1)
  })

  it('happens again for another revision', async () => {
    await test.start(1)
    const request = requestFor('one', {}, 'same')
    expect(htmlOf(await test.renderer.render(request))).toBe('one')
    const { page } = request
    expect(htmlOf(await test.renderer.render({ ...requestFor('two', {}, 'same'), page }))).toBe('two')
  })

  it('rejects with the error of a failed read', async () => {
    await test.start(1)
    const body = () => Promise.reject(new Error('no database'))
    await expect(test.renderer.render({ ...requestFor(''), body })).rejects.toThrow('no database')
    expect(htmlOf(await renderIn(test.renderer, 'fine'))).toBe('fine')
  })
})

describe('several readers', () => {
  it('share one evaluation if they open the same page at the same time', async () => {
    await test.start(1)
    const request = requestFor(CHANCE)
    const seen = await Promise.all(Array.from({ length: 10 }, () => test.renderer.render(request)))
    expect(new Set(seen.map(htmlOf)).size).toBe(1)
  })

  it('do not share an evaluation if they open the same page one after the other', async () => {
    await test.start(1)
    const request = requestFor(CHANCE)
    const seen = new Set<string>()
    for (let turn = 0; turn < 10; turn++) seen.add(htmlOf(await test.renderer.render(request)))
    expect(seen.size).toBeGreaterThan(1)
  })

  it('get the last error of a page that has failed repeatedly, without another evaluation', async () => {
    await test.start(1)
    const request = requestFor(ENDLESS)
    for (let turn = 0; turn < 2; turn++) await test.renderer.render(request)
    // Wait until a worker that could not be interrupted in time has been replaced.
    await vi.waitFor(() => expect(test.workers()).toHaveLength(2), 60_000)
    const workers = test.workers()
    test.freeze()
    expect(await test.renderer.render(request)).toMatchObject({ ok: false, error: { kind: 'timeout' } })
    expect(test.workers()).toEqual(workers)
  })

  it('of one space do not wait until all readers of another space have been served', async () => {
    await test.start(1)
    const order: string[] = []
    const open = async (name: string, request: RenderRequest) => {
      await test.renderer.render(request)
      order.push(name)
    }
    const many = Array.from({ length: 20 }, () => open('busy', requestFor('x', {}, 'busy')))
    await Promise.all([...many, open('calm', requestFor('x', {}, 'calm'))])
    expect(order.indexOf('calm')).toBeLessThan(4)
  })

  it('of an account do not wait until all readers of another account have been served, however many spaces that has', async () => {
    await test.start(1)
    const order: string[] = []
    const open = async (account: string, request = requestFor('x')) => {
      await test.renderer.render({ ...request, account })
      order.push(account)
    }
    // The spaces are read at the same time, so that then all pages wait for the worker.
    const reading = Promise.withResolvers<void>()
    let spaces = 0
    const busy = Array.from({ length: 20 }, () => {
      const request = requestFor('x')
      const snapshot = async () => {
        spaces += 1
        if (spaces === 20) reading.resolve()
        await reading.promise
        return request.snapshot()
      }
      return open('busy', { ...request, snapshot })
    })
    await Promise.race(busy)
    await Promise.all([...busy, open('calm')])
    expect(order.indexOf('calm')).toBeLessThan(6)
  })

  it('of an account have room, however many readers of another account wait, and few spaces are read at once', async () => {
    await test.start(1)
    let [reads, most] = [0, 0]
    const open = async (account: string) => {
      const request = requestFor('x')
      const snapshot = async () => {
        most = Math.max(most, ++reads)
        const content = await request.snapshot()
        reads -= 1
        return content
      }
      return test.renderer.render({ ...request, snapshot, account })
    }
    const openMany = (account: string, pages: number) =>
      Promise.allSettled(Array.from({ length: pages }, () => open(account)))
    // All of them are requested before a worker can take one.
    const [busy, calm] = await Promise.all([openMany('busy', 1_100), openMany('calm', 20)])
    const served = (outcomes: typeof busy) => outcomes.filter(({ status }) => status === 'fulfilled').length
    expect(served(calm)).toBe(20)
    expect(served(busy)).toBe(980)
    expect(most).toBeLessThan(100)
  })

  it('get short pages without waiting for a long page that was requested first', async () => {
    await test.start(1)
    const order: string[] = []
    const open = async (name: string, html: string) => {
      const outcome = await renderIn(test.renderer, html)
      order.push(outcome.ok ? name : outcome.error.kind)
    }
    await Promise.all([open('long', ENDLESS), open('one', '1'), open('two', '2'), open('three', '3')])
    expect(order.slice(0, 3).toSorted()).toEqual(['one', 'three', 'two'])
    expect(order[3]).toBe('timeout')
  })

  it('get the result of a long page, even if requests for short pages keep arriving', async () => {
    await test.start(1)
    const closing = new AbortController()
    const others = Array.from({ length: 3 }, async () => {
      while (!closing.signal.aborted) await renderIn(test.renderer, 'short')
    })
    const outcome = await renderIn(test.renderer, ENDLESS)
    closing.abort()
    await Promise.all(others)
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'timeout' } })
  })

  it('get a new page while another new page is still being evaluated', async () => {
    await test.start(2)
    for (const stopped of test.workers().slice(0, 2)) {
      send('SIGSTOP', stopped)
      const pages = [1, 2].map(page => renderIn(test.renderer, `page ${page}`))
      await Promise.race(pages)
      // A worker that hangs is killed after a timeout. The page must not have waited for that.
      expect(isRunning(stopped)).toBe(true)
      send('SIGCONT', stopped)
      for (const page of await Promise.all(pages)) expect(htmlOf(page)).toMatch(/^page/)
    }
  })

  it('get a page known to be quick without waiting for pages that are evaluated for the first time', async () => {
    await test.start(2)
    const quick = requestFor('quick')
    await test.renderer.render(quick)
    const order: string[] = []
    const open = async (name: string, request: RenderRequest) => {
      await test.renderer.render(request)
      order.push(name)
    }
    const unknown = Array.from({ length: 4 }, () => open('unknown', requestFor(ENDLESS)))
    await Promise.all([...unknown, open('quick', quick)])
    expect(order[0]).toBe('quick')
  })
})

describe('the analysis of a body', () => {
  it('does not wait for all bodies that another account has sent', async () => {
    await test.start(1)
    const order: string[] = []
    const analyze = async (account: string) => {
      await test.renderer.analyze(`{% include 'x' %}`, account)
      order.push(account)
    }
    await Promise.all([...Array.from({ length: 20 }, () => analyze('busy')), analyze('calm')])
    expect(order.indexOf('calm')).toBeLessThan(4)
  })
})

describe('the title and description of a document', () => {
  const page = '<title>{{ data.title }}</title><p>text'

  it('are cached until the next write', async () => {
    await test.start(1)
    const request = requestFor(page, { data: { title: 'News' } })
    await test.renderer.render(request)
    test.freeze()
    expect(await test.renderer.head(request)).toMatchObject({ ok: true, head: { title: 'News' } })
  })

  it.each([
    ['"2027-03-06" | date: "%A"', 'Saturday'],
    ['0 | date_to_xmlschema', '1970-01-01T00:00:00+00:00'],
  ])('are cached if they contain only a fixed date: %s', async (date, title) => {
    await test.start(1)
    const request = requestFor(`<title>{{ ${date} }}</title>`)
    await test.renderer.render(request)
    test.freeze()
    expect(await test.renderer.head(request)).toMatchObject({ ok: true, head: { title } })
  })

  it('are evaluated again for another revision', async () => {
    await test.start(1)
    for (const title of ['One', 'Two']) {
      const request = requestFor(page, { data: { title } }, 'same')
      expect(await test.renderer.head({ ...request, page: { ...request.page, id: 'same' } })).toMatchObject({
        head: { title },
      })
    }
  })

  it.each([
    ['random values', `<title>${CHANCE}</title>`],
    ['the time', '<title>{{ "now" | date: "%s.%N" }}</title>'],
    ['the current day', '<title>{{ "today" | date: "%s.%N" }}</title>'],
    [
      'the time, given as captured text',
      '{% capture at %}now{% endcapture %}<title>{{ at | date: "%s.%N" }}</title>',
    ],
  ])('are evaluated every time if they depend on %s', async (_what, html) => {
    await test.start(1)
    const request = requestFor(html)
    const titles = new Set<string | null>()
    for (let turn = 0; turn < 10; turn++) {
      const head = await test.renderer.head(request)
      titles.add(head.ok ? head.head.title : null)
      // The clock has a resolution of one millisecond.
      await sleep(2)
    }
    expect(titles.size).toBeGreaterThan(1)
  })
})
