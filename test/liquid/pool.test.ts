import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { RendererBusyError, type RenderRequest } from '../../routers/api/renderer.ts'
import { loops } from './costly-pages.ts'
import { childrenOf, isRunning, residentMiB, send } from './process-info.ts'
import { htmlOf, renderIn, requestFor, snapshotOf } from './site.ts'
import { useRenderer } from './use-renderer.ts'

const ENDLESS = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}'
/** A template that is slow to evaluate but stays within the time limit. */
const SLOW = '{% for i in (1..6000) %}{{ i }}{% endfor %}done'

const test = useRenderer()

describe('reading the contents of a space for the renderer', () => {
  it('happens once per revision, not once per page', async () => {
    await test.start(1)
    const snapshot = vi.fn<RenderRequest['snapshot']>(() => Promise.resolve(snapshotOf({ data: { n: 1 } })))
    const request = { ...requestFor('{{ data.n }}'), snapshot }
    for (let turn = 0; turn < 3; turn += 1) expect(htmlOf(await test.renderer.render(request))).toBe('1')
    await test.renderer.render({
      ...request,
      body: () => Promise.resolve('another {{ data.n }}'),
      page: { ...request.page, id: 'other', slug: 'other' },
    })
    expect(snapshot).toHaveBeenCalledTimes(1)
  })

  it('happens once for concurrent readers', async () => {
    await test.start(1)
    const snapshot = vi.fn<RenderRequest['snapshot']>(() =>
      Promise.resolve(JSON.stringify(snapshotOf({ data: { n: 1 } }))),
    )
    const request = { ...requestFor('{{ data.n }}'), snapshot }
    const results = await Promise.all(Array.from({ length: 10 }, () => test.renderer.render(request)))
    expect(results.map(htmlOf)).toEqual(Array.from({ length: 10 }, () => '1'))
    expect(snapshot).toHaveBeenCalledTimes(1)
  })

  it('happens again for another revision, so that pages are never stale', async () => {
    await test.start(2)
    for (let n = 0; n < 10; n += 1) {
      const shown = await Promise.all(
        Array.from({ length: 4 }, () =>
          test.renderer.render(
            requestFor('{{ data.n }}{% render "p" %}', { data: { n }, parts: { p: `p${n}` } }, 'same'),
          ),
        ),
      )
      expect(shown.map(htmlOf)).toEqual(Array.from({ length: 4 }, () => `${n}p${n}`))
    }
  })

  it('causes an error only in the request whose read failed', async () => {
    await test.start(1)
    const request = { ...requestFor('x'), snapshot: () => Promise.reject(new Error('no database')) }
    await expect(test.renderer.render(request)).rejects.toThrow('no database')
    expect(htmlOf(await renderIn(test.renderer, 'fine'))).toBe('fine')
  })

  it('gives each space its own data, even if pages of different spaces have equal bodies', async () => {
    await test.start(1)
    const shown = await Promise.all(
      [1, 2, 3].map(n => test.renderer.render(requestFor('{{ data.n }}', { data: { n } }))),
    )
    expect(shown.map(htmlOf)).toEqual(['1', '2', '3'])
  })

  it('gives each page the original data, even if an earlier template modified its copy', async () => {
    await test.start(1)
    const trial = { data: { list: [3, 1, 2], deep: { a: { b: 1 } } } }
    const first = requestFor(
      '{% assign l = data.list | sort | push: 9 | reverse %}{% increment data %}{% assign data = 1 %}{{ l }}',
      trial,
    )
    await test.renderer.render(first)
    const second = {
      ...first,
      body: () => Promise.resolve('{{ data | json | raw }}'),
      page: { ...first.page, id: 'second' },
    }
    expect(htmlOf(await test.renderer.render(second))).toBe(JSON.stringify(trial.data))
  })
})

describe('a worker process', () => {
  it('is replaced if it is killed during an evaluation, and its page is evaluated again', async () => {
    await test.start(2)
    for (const pid of test.workers()) {
      const pages = Array.from({ length: 6 }, () => renderIn(test.renderer, SLOW))
      await new Promise(resolve => setTimeout(resolve, 15))
      send('SIGKILL', pid)
      for (const page of await Promise.all(pages)) expect(htmlOf(page)).toMatch(/6000done$/)
      // Wait until the worker is replaced, before the next one is killed. A page is retried only once, so a page whose
      // worker is killed twice would fail.
      await vi.waitFor(() => {
        expect(test.workers()).not.toContain(pid)
        expect(test.workers()).toHaveLength(3)
      }, 60_000)
    }
  })

  it('affects no other page when it crashes, and the page that it was evaluating is not tried again', async () => {
    await test.start(1)
    const page = renderIn(test.renderer, ENDLESS)
    for (const pid of test.workers()) send('SIGABRT', pid)
    expect(await page).toMatchObject({ ok: false, error: { kind: 'too_large' } })
    expect(htmlOf(await renderIn(test.renderer, 'fine'))).toBe('fine')
  })

  it('is killed when it hangs, and its page is evaluated by another worker', async () => {
    await test.start(1)
    const [active = 0] = test.workers()
    process.kill(active, 'SIGSTOP')
    expect(htmlOf(await renderIn(test.renderer, 'fine'))).toBe('fine')
    await vi.waitFor(() => expect(isRunning(active)).toBe(false), 60_000)
  })

  it('has an almost empty environment, can read only its own code, and cannot generate code', async () => {
    await test.start(1)
    const [pid = 0] = test.workers()
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8').match(/(?<=^|\0)[^=]+/g)
    expect(new Set(names)).toEqual(new Set(['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'TZ']))
    const options = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    expect(options).toEqual(
      expect.arrayContaining(['--permission', '--disallow-code-generation-from-strings']),
    )
    expect(options.filter(option => /allow-(?!fs-read)/.test(option) && !option.startsWith('--dis'))).toEqual(
      [],
    )
  })

  it('exits when its parent is killed, even during an evaluation', async () => {
    await test.start(1)
    const parent = fork(fileURLToPath(new URL('./parent-process.ts', import.meta.url)), {
      execArgv: ['--no-warnings'],
      stdio: 'ignore',
    })
    await once(parent, 'message')
    const orphans = childrenOf(parent.pid!)
    expect(orphans.length).toBeGreaterThanOrEqual(1)
    parent.kill('SIGKILL')
    await vi.waitFor(() => expect(orphans.filter(isRunning)).toEqual([]), 60_000)
  })

  it('has exited once the renderer has stopped, even if pages were waiting for a worker', async () => {
    await test.start(2)
    const running = [...test.workers()]
    const waiting = Array.from({ length: 8 }, () =>
      renderIn(test.renderer, ENDLESS).catch((error: unknown) => error),
    )
    await test.renderer.stop()
    expect(running.filter(isRunning)).toEqual([])
    expect(await Promise.all(waiting)).toContainEqual(expect.any(RendererBusyError))
    await expect(renderIn(test.renderer, 'x')).rejects.toThrow(RendererBusyError)
  })
})

describe('slow pages', () => {
  it('are evaluated even if visitors keep opening other new pages', { timeout: 120_000 }, async () => {
    await test.start(2)
    const newPage = loops(2_000)
    // A worker that has just started is several times slower, so that a long page could exceed its time.
    await Promise.all(Array.from({ length: 16 }, (_, n) => renderIn(test.renderer, newPage(-1 - n))))
    const long = Promise.all(Array.from({ length: 2 }, (_, n) => renderIn(test.renderer, loops(12_000)(n))))
    const opened = new AbortController()
    const visit = async (visitor: number) => {
      for (let n = 0; !opened.signal.aborted; n += 1) await renderIn(test.renderer, newPage(visitor + 10 * n))
    }
    const visits = Promise.all(Array.from({ length: 4 }, (_, visitor) => visit(visitor)))
    const outcomes = await long.finally(() => opened.abort())
    await visits
    expect(outcomes.map(outcome => outcome.ok || outcome.error)).toEqual(outcomes.map(() => true))
  })
})

describe('a worker process that evaluates pages of many spaces', () => {
  it('stays below 400 MiB when pages of a thousand spaces are opened in mixed order', async () => {
    await test.start(2)
    const parts = { frame: `<main>{% block content %}{% endblock %}</main>${'<p>filler</p>'.repeat(800)}` }
    const requests = Array.from({ length: 1000 }, (_, at) =>
      requestFor(
        '{% layout "frame" %}{% block content %}{% for x in data.list %}{{ x.t }}{% endfor %}{% endblock %}',
        {
          parts,
          data: {
            list: Array.from({ length: 100 }, (_, n) => ({ t: `${at} ${n}`, n, text: 'some text for it' })),
          },
        },
      ),
    )
    let most = 0
    for (let turn = 0; turn < 1500; turn += 1) {
      const request = requests[(turn * 7919) % 1000]!
      expect(htmlOf(await test.renderer.render(request))).toContain('</main>')
      if (turn % 100 === 0) most = Math.max(most, ...test.workers().map(residentMiB))
    }
    expect(most).toBeLessThan(400)
  })
})
