import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { RendererBusyError, type RenderRequest } from '../../routers/core/renderer.ts'
import { childrenOf, isRunning, residentMiB } from './children.ts'
import { useProcesses } from './processes.ts'
import { htmlOf, renderIn, requestFor, snapshotOf } from './site.ts'

const ENDLESS = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}'
/** Takes a while without being cut off. */
const SLOWISH = '{% for i in (1..6000) %}{{ i }}{% endfor %}done'

const its = useProcesses()

describe('reading the space', () => {
  it('happens once for a revision, not for every page', async () => {
    await its.start(1)
    const snapshot = vi.fn<RenderRequest['snapshot']>(() => Promise.resolve(snapshotOf({ data: { n: 1 } })))
    const request = { ...requestFor('{{ data.n }}'), snapshot }
    for (let turn = 0; turn < 3; turn += 1) expect(htmlOf(await its.renderer.render(request))).toBe('1')
    await its.renderer.render({
      ...request,
      body: () => Promise.resolve('another {{ data.n }}'),
      page: { ...request.page, id: 'other', slug: 'other' },
    })
    expect(snapshot).toHaveBeenCalledTimes(1)
  })

  it('happens once for readers who come at the same time', async () => {
    await its.start(1)
    const snapshot = vi.fn<RenderRequest['snapshot']>(() =>
      Promise.resolve(JSON.stringify(snapshotOf({ data: { n: 1 } }))),
    )
    const request = { ...requestFor('{{ data.n }}'), snapshot }
    const results = await Promise.all(Array.from({ length: 10 }, () => its.renderer.render(request)))
    expect(results.map(htmlOf)).toEqual(Array.from({ length: 10 }, () => '1'))
    expect(snapshot).toHaveBeenCalledTimes(1)
  })

  it('happens again as soon as the revision is another, so that nothing old is shown', async () => {
    await its.start(2)
    for (let n = 0; n < 10; n += 1) {
      const shown = await Promise.all(
        Array.from({ length: 4 }, () =>
          its.renderer.render(
            requestFor('{{ data.n }}{% render "p" %}', { data: { n }, parts: { p: `p${n}` } }, 'same'),
          ),
        ),
      )
      expect(shown.map(htmlOf)).toEqual(Array.from({ length: 4 }, () => `${n}p${n}`))
    }
  })

  it('that fails is told to the reader who caused it, and to nobody else', async () => {
    await its.start(1)
    const request = { ...requestFor('x'), snapshot: () => Promise.reject(new Error('no database')) }
    await expect(its.renderer.render(request)).rejects.toThrow('no database')
    expect(htmlOf(await renderIn(its.renderer, 'fine'))).toBe('fine')
  })

  it('keeps spaces apart, also where their pages have the same body', async () => {
    await its.start(1)
    const shown = await Promise.all(
      [1, 2, 3].map(n => its.renderer.render(requestFor('{{ data.n }}', { data: { n } }))),
    )
    expect(shown.map(htmlOf)).toEqual(['1', '2', '3'])
  })

  it('leaves the data as it was, whatever templates did with it', async () => {
    await its.start(1)
    const trial = { data: { list: [3, 1, 2], deep: { a: { b: 1 } } } }
    const first = requestFor(
      '{% assign l = data.list | sort | push: 9 | reverse %}{% increment data %}{% assign data = 1 %}{{ l }}',
      trial,
    )
    await its.renderer.render(first)
    const second = {
      ...first,
      body: () => Promise.resolve('{{ data | json | raw }}'),
      page: { ...first.page, id: 'second' },
    }
    expect(htmlOf(await its.renderer.render(second))).toBe(JSON.stringify(trial.data))
  })
})

describe('a child', () => {
  it('that is killed in the middle of an evaluation is replaced, and the reader gets the page', async () => {
    await its.start(2)
    for (const pid of its.children()) {
      const pages = Array.from({ length: 6 }, () => renderIn(its.renderer, SLOWISH))
      await new Promise(resolve => setTimeout(resolve, 15))
      process.kill(pid, 'SIGKILL')
      for (const page of await Promise.all(pages)) expect(htmlOf(page)).toMatch(/6000done$/)
      await vi.waitFor(() => expect(its.children()).toHaveLength(3), 10_000)
    }
  })

  it('that breaks down over a page takes nobody else with it, and the page is not tried again', async () => {
    await its.start(1)
    const page = renderIn(its.renderer, ENDLESS)
    for (const pid of its.children()) process.kill(pid, 'SIGABRT')
    expect(await page).toMatchObject({ ok: false, error: { kind: 'too_large' } })
    expect(htmlOf(await renderIn(its.renderer, 'fine'))).toBe('fine')
  })

  it('that does not answer any more is ended, and its page explained', async () => {
    await its.start(1)
    const page = renderIn(its.renderer, ENDLESS)
    for (const pid of its.children()) process.kill(pid, 'SIGSTOP')
    expect(await page).toMatchObject({ ok: false, error: { kind: 'timeout' } })
  })

  it('has no environment, may read its own code only, and cannot make code from text', async () => {
    await its.start(1)
    const [pid = 0] = its.children()
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

  it('does not outlive a parent that was killed, not even while it evaluates', async () => {
    await its.start(1)
    const parent = fork(fileURLToPath(new URL('./parent.ts', import.meta.url)), {
      execArgv: ['--no-warnings'],
      stdio: 'ignore',
    })
    await once(parent, 'message')
    const orphans = childrenOf(parent.pid!)
    expect(orphans.length).toBeGreaterThanOrEqual(1)
    parent.kill('SIGKILL')
    await vi.waitFor(() => expect(orphans.filter(isRunning)).toEqual([]), 5_000)
  })

  it('is gone when the renderer has stopped, even if pages were waiting', async () => {
    await its.start(2)
    const running = [...its.children()]
    const waiting = Array.from({ length: 8 }, () =>
      renderIn(its.renderer, ENDLESS).catch((error: unknown) => error),
    )
    await its.renderer.stop()
    expect(running.filter(isRunning)).toEqual([])
    expect(await Promise.all(waiting)).toContainEqual(expect.any(RendererBusyError))
    await expect(renderIn(its.renderer, 'x')).rejects.toThrow(RendererBusyError)
  })
})

describe('many spaces', () => {
  it('a thousand of them, opened at random, stay within 400 MiB for each child', async () => {
    await its.start(2)
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
      expect(htmlOf(await its.renderer.render(request))).toContain('</main>')
      if (turn % 100 === 0) most = Math.max(most, ...its.children().map(residentMiB))
    }
    expect(most).toBeLessThan(400)
  })
})
