import type { Frame, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { PASSWORD, root, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.world)
})

/** A window with a page's editor in it. What drafts are refused is written to its console, which nobody minds. */
const edit = async (html: string, kind: 'scripted' | 'static' = 'scripted') => {
  const made = await site.page('draft', html, kind)
  const window = await dashboard.window({ viewport: { width: 1280, height: 800 } })
  const { handle } = site.space.owner
  const answer = await window.context.request.post(`${root(dashboard.world)}/trpc/sessions.create`, {
    data: { handle, password: PASSWORD },
  })
  expect(answer.status()).toBe(200)
  await window.page.goto(`${root(dashboard.world)}/admin/spaces/${site.space.subdomain}/pages/${made.id}`)
  return window
}

const SHOWN = 'iframe[title="Preview of draft"]:not([aria-hidden])'

/** The frame that shows the draft. */
const shown = async (page: Page): Promise<Frame> => {
  const frame = await (await page.waitForSelector(SHOWN)).contentFrame()
  if (!frame) throw new Error('no frame')
  return frame
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })

const write = async (page: Page, words: string) => {
  await text(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.insertText(words)
}

/** What comes of an expression in a frame: its value, or the name of the error. */
const trial = (frame: Frame, expression: string): Promise<unknown> =>
  frame.evaluate(
    `(async () => { try { return await (${expression}) } catch (error) { return error.name } })()`,
  )

describe('the script of a draft', () => {
  test('runs, on an origin that is neither the dashboard’s nor a page’s', async () => {
    const { page, deeds } = await edit('<h1>x</h1><script>console.log("ran " + origin)</script>')
    const frame = await shown(page)
    await frame.getByRole('heading').waitFor()
    expect(deeds).toHaveLength(1)
    expect(deeds[0]).toMatch(/^ran http:\/\/preview-[2-9a-z]{16}\.pages\.localhost:\d+$/)
    expect(await trial(frame, 'window.originAgentCluster')).toBe(true)
  })

  test('reaches nothing of the dashboard: no document, no address, no cookie, no storage', async () => {
    const { context, page } = await edit('<h1>x</h1>')
    const frame = await shown(page)
    await frame.getByRole('heading').waitFor()
    for (const expression of [
      'parent.document',
      'top.location.href',
      'parent.localStorage',
      'frameElement.id',
    ])
      expect(await trial(frame, expression)).toMatch(/SecurityError|TypeError/)
    expect((await context.cookies()).length).toBeGreaterThan(0)
    expect(await trial(frame, 'document.cookie')).toBe('')
    expect(await trial(frame, `fetch('${root(dashboard.world)}/trpc/accounts.me')`)).toBe('TypeError')
  })

  test('does not navigate the window around it, not even by a click', async () => {
    const { page } = await edit(`<button onclick="top.location = '${root(dashboard.world)}/docs'">go</button>
      <script>try { top.location = '${root(dashboard.world)}/docs' } catch {}</script>`)
    const before = page.url()
    await (await shown(page)).getByRole('button', { name: 'go' }).click()
    await text(page).click()
    expect(page.url()).toBe(before)
    expect(await text(page).innerText()).toContain('<button')
  })

  test('opens no dialogs', async () => {
    const { page, deeds } = await edit('<script>for (let i = 0; i < 9; i++) alert(i)</script><h1>after</h1>')
    await (await shown(page)).getByRole('heading', { name: 'after' }).waitFor()
    expect(deeds).toEqual([])
  })

  test('is believed nothing that it says to the dashboard', async () => {
    const { page } = await edit(`<h1>mine</h1><script>
      for (const message of [null, 7, { html: 'x' }, { preview: 'shown' }, { preview: 'scroll', top: 'x' }, { preview: 'scroll', top: -1 }])
        parent.postMessage(message, '*')
      for (let i = 0; i < 2000; i++) parent.postMessage({ preview: 'ready' }, '*')
    </script>`)
    await (await shown(page)).getByRole('heading', { name: 'mine' }).waitFor()
    await write(page, '<h1>next</h1>')
    await page.frameLocator(SHOWN).getByRole('heading', { name: 'next' }).waitFor()
    expect(await page.getByText('Up to date').count()).toBe(1)
  })

  test('that does not end is stopped, while the editor stays as quick as ever', async () => {
    const { page } = await edit('<h1>first</h1>')
    await (await shown(page)).getByRole('heading', { name: 'first' }).waitFor()
    await write(page, '<h1>endless</h1><script>while (true) {}</script>')
    await page.getByText('A script of this page does not come to an end').waitFor()
    await write(page, '<h1>mended</h1>')
    await page.frameLocator(SHOWN).getByRole('heading', { name: 'mended' }).waitFor()
    expect(await page.getByText('A script of this page does not come to an end').count()).toBe(0)
  })

  test('that ends up in a loop later makes way for the next draft', async () => {
    const { page } = await edit('<h1>first</h1><script>setTimeout(() => { while (true) {} }, 300)</script>')
    await page.waitForSelector(SHOWN)
    await page.waitForTimeout(600)
    await write(page, '<h1>mended</h1>')
    const heading = page.frameLocator(SHOWN).getByRole('heading', { name: 'mended' })
    await heading.waitFor()
    expect(await heading.count()).toBe(1)
  })
})

describe('a link of a draft', () => {
  test.each([
    ['to the site', '/about', (home: string) => `${home}/about`],
    ['that would take the whole window', 'http://localhost:1/" target="_top', () => 'http://localhost:1/'],
  ])('%s opens in a new tab', async (_, href, expected) => {
    const home = dashboard.world.service.core.addresses.site(site.space.subdomain)
    const { context, page } = await edit(`<a href="${href}">go</a>`)
    const opened = context.waitForEvent('page')
    const requested = context.waitForEvent('request', request => request.url() === expected(home))
    await (await shown(page)).getByRole('link', { name: 'go' }).click()
    await opened
    expect((await requested).isNavigationRequest()).toBe(true)
    expect(await page.frameLocator(SHOWN).getByRole('link', { name: 'go' }).count()).toBe(1)
  })

  test.each(['scripted', 'static'] as const)('within a %s draft stays there', async kind => {
    const html = '<a href="#end">go</a><div style="height: 3000px"></div><h1 id="end">End</h1>'
    const { context, page } = await edit(html, kind)
    const frame = await shown(page)
    const inner = kind === 'static' ? frame.frameLocator('iframe') : frame
    await inner.getByRole('link', { name: 'go' }).click()
    await inner.getByRole('heading', { name: 'End' }).isVisible()
    expect(context.pages()).toHaveLength(1)
    const view = kind === 'static' ? frame.childFrames()[0] : frame
    await view?.waitForFunction('scrollY > 1000')
  })
})

describe('a static draft', () => {
  test('runs no script, and its links open in a new tab', async () => {
    const { context, page, deeds } = await edit(
      `<h1>x</h1><script>console.log('ran')</script><img src="x:" onerror="console.log('ran')"><a href="/about">go</a>`,
      'static',
    )
    const inner = (await shown(page)).frameLocator('iframe')
    await inner.getByRole('heading').waitFor()
    const opened = context.waitForEvent('page')
    await inner.getByRole('link', { name: 'go' }).click()
    await opened
    expect(deeds).toEqual([])
  })

  test('would run none either if nothing had been taken out', async () => {
    const { page, deeds } = await edit('<h1>x</h1>', 'static')
    const frame = await shown(page)
    const inner = frame.childFrames()[0]
    await inner?.getByRole('heading').waitFor()
    // As if the draft had got there whole: written into the frame that has no leave to run anything.
    await frame.evaluate(`
      document.querySelector('iframe').srcdoc = '<script>console.log("ran")<\\/script><img src="x:" onerror="console.log(1, \\'ran\\')"><h1>whole</h1>'
    `)
    await frame.frameLocator('iframe').getByRole('heading', { name: 'whole' }).waitFor()
    expect(deeds).toEqual([])
  })
})

test('a draft that is longer than most is shown whole', async () => {
  const html = `{% assign row = "${'x'.repeat(1000)}" %}{% for i in (1..4000) %}<p>{{ row }}</p>{% endfor %}<h1>end</h1>`
  const { page } = await edit(html)
  await (await shown(page)).getByRole('heading', { name: 'end' }).waitFor()
  expect(await (await shown(page)).locator('p').count()).toBe(4000)
})

test('the origin of drafts shows itself to the dashboard alone', async () => {
  const origin = dashboard.world.service.core.addresses.preview('2222222222222222')
  const made = await site.page('thief', `<iframe src="${origin}/"></iframe>`, 'scripted')
  const { page } = await dashboard.window()
  const [refused] = await Promise.all([
    page.waitForEvent('console', message => message.text().includes('frame-ancestors')),
    page.goto(`${dashboard.world.service.core.addresses.pageOrigin(made.id)}/`),
  ])
  expect(refused.text()).toContain(origin)
})
