import type { Frame, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, PASSWORD, root, useDashboard } from '../support/dashboard.ts'
import { write as writeIn } from '../support/editor.ts'
import { expectShown } from '../support/page-preview.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.service)
})

/** Opens a page's editor in a window. Ignores console errors, because blocked actions of drafts cause some. */
const edit = async (html: string, kind: 'scripted' | 'static' = 'scripted') => {
  const created = await site.page('draft', html, kind)
  const window = await dashboard.window({ viewport: { width: 1280, height: 800 } })
  const { handle } = site.space.owner
  const response = await window.context.request.post(`${root(dashboard.service)}/trpc/sessions.create`, {
    data: { handle, password: PASSWORD },
  })
  expect(response.status()).toBe(200)
  await window.page.goto(
    `${root(dashboard.service)}/admin/spaces/${site.space.subdomain}/pages/${created.id}`,
  )
  return window
}

const SHOWN = 'iframe[title="Preview of draft"]:not([aria-hidden])'

/** Returns the frame that shows the draft. */
const previewFrame = async (page: Page): Promise<Frame> => {
  const frame = await (await page.waitForSelector(SHOWN)).contentFrame()
  if (!frame) throw new Error('no frame')
  return frame
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Page body' })

const write = (page: Page, content: string) => writeIn(page, content, 'Page body')

/** Evaluates an expression in a frame. Returns its value, or the name of the error it throws. */
const attempt = (frame: Frame, expression: string): Promise<unknown> =>
  frame.evaluate(
    `(async () => { try { return await (${expression}) } catch (error) { return error.name } })()`,
  )

describe('the script of a draft', () => {
  test('runs on an origin separate from the dashboard and from pages', async () => {
    const { page, events } = await edit('<h1>x</h1><script>console.log("ran " + origin)</script>')
    const frame = await previewFrame(page)
    await frame.getByRole('heading').waitFor()
    await expect.poll(() => events).toHaveLength(1)
    expect(events[0]).toMatch(/^ran http:\/\/preview-[2-9a-z]{16}\.pages\.localhost:\d+$/)
    expect(await attempt(frame, 'window.originAgentCluster')).toBe(true)
  })

  test('cannot access the dashboard’s document, address, cookies or storage', async () => {
    const { context, page } = await edit('<h1>x</h1>')
    const frame = await previewFrame(page)
    await frame.getByRole('heading').waitFor()
    for (const expression of [
      'parent.document',
      'top.location.href',
      'parent.localStorage',
      'frameElement.id',
    ])
      expect(await attempt(frame, expression)).toMatch(/SecurityError|TypeError/)
    await expect.poll(async () => (await context.cookies()).length).toBeGreaterThan(0)
    expect(await attempt(frame, 'document.cookie')).toBe('')
    expect(await attempt(frame, `fetch('${root(dashboard.service)}/trpc/accounts.me')`)).toBe('TypeError')
  })

  test('cannot navigate the dashboard, not even on a click', async () => {
    const { page } =
      await edit(`<button onclick="top.location = '${root(dashboard.service)}/docs'">go</button>
      <script>try { top.location = '${root(dashboard.service)}/docs' } catch {}</script>`)
    const before = page.url()
    await (await previewFrame(page)).getByRole('button', { name: 'go' }).click()
    await text(page).click()
    expect(page.url()).toBe(before)
    await expect.poll(() => text(page).innerText()).toContain('<button')
  })

  test('can open an address for another program, and the draft stays', async () => {
    const { context, page } = await edit(
      `<h1>draft</h1><button onclick="location.href = 'mailto:ann@example.com'">write</button>`,
    )
    const frame = await previewFrame(page)
    const [request] = await Promise.all([
      context.waitForEvent('requestfailed', request => request.url().startsWith('mailto:')),
      frame.getByRole('button', { name: 'write' }).click(),
    ])
    // The headless browser has no other program. If a policy blocked the address, there would be no request.
    expect(request.failure()?.errorText).toBe('net::ERR_ABORTED')
    await (await previewFrame(page)).getByRole('heading', { name: 'draft' }).waitFor()
  })

  test('cannot open dialogs', async () => {
    const { page, events } = await edit('<script>for (let i = 0; i < 9; i++) alert(i)</script><h1>after</h1>')
    await (await previewFrame(page)).getByRole('heading', { name: 'after' }).waitFor()
    expect(events).toEqual([])
  })

  test('cannot influence the dashboard with forged messages', async () => {
    const { page } = await edit(`<h1>mine</h1><script>
      for (const message of [null, 7, { html: 'x' }, { preview: 'shown' }, { preview: 'scroll', top: 'x' }, { preview: 'scroll', top: -1 }])
        parent.postMessage(message, '*')
      for (let i = 0; i < 2000; i++) parent.postMessage({ preview: 'ready' }, '*')
    </script>`)
    await (await previewFrame(page)).getByRole('heading', { name: 'mine' }).waitFor()
    await write(page, '<h1>next</h1>')
    await expectShown(page.frameLocator(SHOWN).getByRole('heading', { name: 'next' }))
    await expect.poll(() => page.getByText('Up to date').count()).toBe(1)
  })

  test('is stopped if it never finishes, and the editor stays usable', async () => {
    const { page } = await edit('<h1>first</h1>')
    await (await previewFrame(page)).getByRole('heading', { name: 'first' }).waitFor()
    await write(page, '<h1>endless</h1><script>while (true) {}</script>')
    await page.getByText('A script on this page does not finish').waitFor()
    await write(page, '<h1>fixed</h1>')
    await expectShown(page.frameLocator(SHOWN).getByRole('heading', { name: 'fixed' }))
    await expect.poll(() => page.getByText('A script on this page does not finish').count()).toBe(0)
  })

  test('is stopped when the draft changes, if it entered an endless loop after the preview loaded', async () => {
    // The timer ends after the draft has said that it is shown.
    const loop = `setTimeout(() => { console.log('ran into the loop'); while (true) {} })`
    const { page, events } = await edit(`<h1>first</h1><script>${loop}</script>`)
    await page.waitForSelector(SHOWN)
    await expect.poll(() => events).toEqual(['ran into the loop'])
    await write(page, '<h1>fixed</h1>')
    const heading = page.frameLocator(SHOWN).getByRole('heading', { name: 'fixed' })
    await expectShown(heading)
    await expect.poll(() => heading.count()).toBe(1)
  })
})

describe('a link in a draft', () => {
  test.each([
    ['to the site', '/about', (home: string) => `${home}/about`],
    ['that targets the whole window', 'http://localhost:1/" target="_top', () => 'http://localhost:1/'],
  ])('%s opens in a new tab, without a pointer', async (_, href, expected) => {
    const home = dashboard.service.core.addresses.site(site.space.subdomain)
    const { context, page } = await edit(`<a href="${href}">go</a>`)
    const opened = context.waitForEvent('page')
    const requested = context.waitForEvent('request', request => request.url() === expected(home))
    const link = (await previewFrame(page)).getByRole('link', { name: 'go' })
    // A click alone selects the link.
    await link.click()
    await page.getByRole('region', { name: 'Selected element' }).getByText('<a> in this page').waitFor()
    expect(context.pages()).toHaveLength(1)
    await link.press('Enter')
    await opened
    expect((await requested).isNavigationRequest()).toBe(true)
    await expect.poll(() => page.frameLocator(SHOWN).getByRole('link', { name: 'go' }).count()).toBe(1)
  })

  test.each(['scripted', 'static'] as const)('scrolls a %s draft to the link’s fragment', async kind => {
    const html = '<a href="#end">go</a><div style="height: 3000px"></div><h1 id="end">End</h1>'
    const { context, page } = await edit(html, kind)
    const frame = await previewFrame(page)
    const inner = kind === 'static' ? frame.frameLocator('iframe') : frame
    await inner.getByRole('link', { name: 'go' }).click()
    const view = kind === 'static' ? frame.childFrames()[0] : frame
    await view!.waitForFunction('scrollY > 1000')
    expect(context.pages()).toHaveLength(1)
  })
})

describe('a link to another page of the site', () => {
  test.each(['scripted', 'static'] as const)(
    'in a %s draft makes the dashboard offer to edit that page',
    async kind => {
      await site.page('about', '<h1>About us</h1>')
      const { context, page } = await edit('<a href="/about">go</a>', kind)
      const frame = await previewFrame(page)
      const inner = kind === 'static' ? frame.frameLocator('iframe') : frame
      await inner.getByRole('link', { name: 'go' }).click()
      await page.getByText('This link leads to the page about.').waitFor()
      await expectAccessible(page, `preview-link-${kind}`)
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByRole('link', { name: 'Edit about' }).click()
      await page.getByRole('heading', { name: 'about', level: 1 }).waitFor()
      expect(context.pages()).toHaveLength(1)
    },
  )

  test('asks for confirmation if the draft has unsaved changes', async () => {
    await site.page('index', '<h1>Home</h1>')
    const { page } = await edit('<h1>x</h1>')
    await write(page, '<a href="/">home</a>')
    const link = page.frameLocator(SHOWN).getByRole('link', { name: 'home' })
    await expectShown(link)
    await link.click()
    await page.getByRole('link', { name: 'Edit index' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
  })

  test('is not opened by a forged message from a script: the dashboard only offers to edit the page', async () => {
    await site.page('about', '<h1>About us</h1>')
    const { page } = await edit(`<h1>x</h1><script>
      const links = ['draft', 'missing', 'https://example.org/', 'constructor', null, {}, 7]
      const forge = link => parent.postMessage({ preview: 'link', page: link }, '*')
      links.forEach((link, index) => setTimeout(forge, 400 * index, link))
      // Sent again and again: on a busy machine, two messages can arrive together, and the second one is then ignored.
      setTimeout(setInterval, 400 * links.length, forge, 400, 'about')
    </script>`)
    const offer = page.getByText('This link leads to the page')
    await offer.waitFor()
    expect(await offer.innerText()).toBe('This link leads to the page about.')
    await page.getByRole('heading', { name: 'draft', level: 1 }).waitFor()
  })

  test('makes the dashboard offer to edit that page, and the offer can be closed', async () => {
    await site.page('about', '<h1>About us</h1>')
    const { page } = await edit('<a href="/about">go</a>')
    await page.frameLocator(SHOWN).getByRole('link', { name: 'go' }).click()
    const offer = page.getByText('This link leads to the page about.')
    await offer.waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => offer.count()).toBe(0)
  })
})

describe('a static draft', () => {
  test('runs no script, and its links open in a new tab', async () => {
    const { context, page, events } = await edit(
      `<h1>x</h1><script>console.log('ran')</script><img src="x:" onerror="console.log('ran')"><a href="/about">go</a>`,
      'static',
    )
    const inner = (await previewFrame(page)).frameLocator('iframe')
    await inner.getByRole('heading').waitFor()
    await inner.getByRole('link', { name: 'go' }).click()
    await page.getByRole('region', { name: 'Selected element' }).getByText('<a> in this page').waitFor()
    expect(context.pages()).toHaveLength(1)
    const opened = context.waitForEvent('page')
    await inner.getByRole('link', { name: 'go' }).press('Enter')
    await opened
    expect(events).toEqual([])
  })

  test('runs no script even if it was not sanitized', async () => {
    const { page, events } = await edit('<h1>x</h1>', 'static')
    const frame = await previewFrame(page)
    await frame.frameLocator('iframe').getByRole('heading').waitFor()
    // Write the unsanitized draft directly into the frame, whose sandbox allows no scripts.
    await frame.evaluate(`
      document.querySelector('iframe').srcdoc = '<script>console.log("ran")<\\/script><img src="x:" onerror="console.log(1, \\'ran\\')"><h1>whole</h1>'
    `)
    await frame.frameLocator('iframe').getByRole('heading', { name: 'whole' }).waitFor()
    expect(events).toEqual([])
  })
})

test('a long draft is shown completely', async () => {
  const html = `{% assign row = "${'x'.repeat(1000)}" %}{% for i in (1..40) %}<p hidden>{% for j in (1..100) %}{{ row }}{% endfor %}</p>{% endfor %}<h1>end</h1>`
  const { page } = await edit(html)
  await (await previewFrame(page)).getByRole('heading', { name: 'end' }).waitFor()
  expect(await (await previewFrame(page)).locator('p').allTextContents()).toEqual(
    Array.from({ length: 40 }, () => 'x'.repeat(100_000)),
  )
})

test('only the dashboard can frame the preview origin', async () => {
  const origin = dashboard.service.core.addresses.preview('2222222222222222')
  const created = await site.page('thief', `<iframe src="${origin}/"></iframe>`, 'scripted')
  const { page } = await dashboard.window()
  const [refused] = await Promise.all([
    page.waitForEvent('console', message => message.text().includes('frame-ancestors')),
    page.goto(`${dashboard.service.core.addresses.pageOrigin(created.id)}/`),
  ])
  expect(refused.text()).toContain(origin)
})

test('the preview does not count as up to date until its frame shows the draft', async () => {
  const { page, context } = await edit('<h1>first</h1>')
  await (await previewFrame(page)).getByRole('heading', { name: 'first' }).waitFor()
  const isRequested = Promise.withResolvers<void>()
  const isReleased = Promise.withResolvers<void>()
  await context.route(
    ({ hostname }) => hostname.startsWith('preview-'),
    async route => {
      isRequested.resolve()
      await isReleased.promise
      // Continuing fails if the window closes meanwhile.
      await route.continue().catch(() => {})
    },
  )
  // Change the text in one step. `write` would empty it first, and the request could be for the empty draft.
  await text(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText('\n<h1>next</h1>')
  await isRequested.promise
  const status = page.getByRole('region', { name: 'Preview' }).getByRole('status')
  expect(await status.innerText()).toBe('Updating…')
  isReleased.resolve()
  await expectShown(page.frameLocator(SHOWN).getByRole('heading', { name: 'next' }))
  await status.getByText('Up to date', { exact: true }).waitFor()
})
