/** Tests what a hostile script in a scripted page can do to the site's window, which has the page in a frame. */
import type { Frame, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { newSite, type TestSite } from '../delivery/support/site.ts'
import { clickUntil, useReaderBrowser } from './support/delivery.ts'
import { evaluated } from './support/reading.ts'

const readerBrowser = useReaderBrowser()
let site: TestSite
let root: string

beforeEach(async () => {
  site = await newSite(readerBrowser.service)
  root = readerBrowser.service.core.addresses.site(site.space.subdomain)
})

const contentOf = (page: Page): Frame => page.frames()[1]!

/** Opens a page and records the addresses that its window opens. */
const open = async (html = '<title>App</title><p>text') => {
  const created = await site.page('app', html, 'scripted')
  const { page } = await readerBrowser.window()
  const visited = new Set<string>()
  page.on('framenavigated', frame => void (frame === page.mainFrame() && visited.add(frame.url())))
  await page.goto(created.url)
  await page.waitForLoadState()
  return { created, page, visited }
}

/**
 * Sends a message to the window, then a second one that sets the title. Returns once the title has changed. The window
 * has then handled both messages.
 */
const send = async (page: Page, message: string) => {
  const frame = contentOf(page)
  await frame.evaluate(`parent.postMessage(${message}, '*')`)
  await expect
    .poll(async () => {
      await frame.evaluate(`parent.postMessage({ page: { title: 'handled' } }, '*')`)
      return page.title()
    })
    .toBe('handled')
}

describe('a message from a page to the window', () => {
  it.each([
    [`{ open: 'https://elsewhere.example/' }`],
    [`{ open: '/other' }`],
    ['{ open: document.referrer }'],
    [`{ page: { address: 'https://elsewhere.example/' } }`],
    [`{ page: { address: '//elsewhere.example/' } }`],
    [`{ page: { address: '/\\\\elsewhere.example/' } }`],
    [`{ page: { address: 'javascript:alert(1)' } }`],
    [`{ page: { address: 'data:text/html,x' } }`],
    [`{ page: { address: '/' + 'x'.repeat(3000) } }`],
    [`{ page: { address: { toString: null } } }`],
    [`{ page: { address: 5, title: {}, width: 'wide', height: -1 } }`],
    [`{ page: { width: NaN, height: Infinity, left: 'a', top: null } }`],
    ['{ page: null }'],
    ['{ page: [] }'],
    ['null'],
    ['"open"'],
  ])('%s changes neither address nor history', async message => {
    const { created, page, visited } = await open()
    const entries = await page.evaluate('history.length')
    await send(page, message)
    expect(page.url()).toBe(created.url)
    expect([...visited]).toEqual([created.url])
    expect(await page.evaluate('history.length')).toBe(entries)
    expect(await page.locator('iframe').boundingBox()).toMatchObject({ x: 0, y: 0 })
  })

  it('can set the address bar to a path of the page’s site, without loading that path', async () => {
    const { page } = await open()
    await send(page, `{ page: { address: '/other?a=1#b' } }`)
    expect(page.url()).toBe(`${root}/other?a=1#b`)
    expect(await contentOf(page).evaluate('document.body.textContent')).toBe('text')
  })

  it('can set the title, which is shown as shortened plain text', async () => {
    const { page } = await open()
    await contentOf(page).evaluate(`parent.postMessage({ page: { title: '<b>'.repeat(1000) } }, '*')`)
    await expect.poll(() => page.title()).toBe('<b>'.repeat(100))
  })

  it('changes the address only a few times if it is sent ten thousand times', async () => {
    const { page } = await open()
    await page.evaluate(`{
      window.changes = 0
      const original = history.replaceState
      history.replaceState = function (...given) { window.changes++; return original.apply(this, given) }
    }`)
    await contentOf(page).evaluate(
      `for (let n = 1; n <= 10000; n++) parent.postMessage({ page: { address: '/app?' + n } }, '*')`,
    )
    await page.waitForURL(`${root}/app?10000`)
    expect(await page.evaluate('window.changes')).toBeLessThan(100)
  })
})

describe('a late message with the address that the reader has just left', () => {
  const LONG = '<title>App</title><p style="height: 3000px">long</p><h2 id="far">far</h2>'

  it.each([
    ['a link with the full address', `receive(origin, { open: location.href + '#far' })`],
    ['a typed fragment', `location.hash = '#far'`],
  ])('does not bring the reader back after %s', async (_, goElsewhere) => {
    const { page } = await open(LONG)
    await page.evaluate(`{
      const frame = document.querySelector('iframe')
      const receive = (origin, data) =>
        dispatchEvent(new MessageEvent('message', { source: frame.contentWindow, origin, data }))
      ${goElsewhere}
      receive(new URL(frame.src).origin, { page: { address: '/app' } })
    }`)
    // `evaluated` returns null while the document in the frame is being replaced.
    await expect.poll(() => evaluated<number>(page, 'scrollY')).toBeGreaterThan(2000)
  })
})

describe('a message from a frame inside the page', () => {
  it.each([
    ['without an origin', 'allow-scripts'],
    ['of the page’s origin', 'allow-scripts allow-same-origin'],
  ])('%s is ignored', async (_, sandbox) => {
    const message = `{ open: '${root}/articles', page: { address: '/x', title: 'x' } }`
    const { created, page, visited } = await open(
      `<title>App</title><iframe sandbox="${sandbox}" srcdoc="<p>inner"></iframe>`,
    )
    await page.frameLocator('iframe').frameLocator('iframe').getByText('inner').waitFor()
    // This listener is called after the one of the window's own script.
    await page.evaluate(
      `void (window.received = new Promise(resolve => addEventListener('message', () => resolve(true))))`,
    )
    await page.frames()[2]!.evaluate(`top.postMessage(${message}, '*')`)
    expect(await page.evaluate('window.received')).toBe(true)
    // A later message that is not ignored: no other address was opened or set before it.
    await contentOf(page).evaluate(`parent.postMessage({ page: { address: '/next' } }, '*')`)
    await page.waitForURL(`${root}/next`)
    expect([...visited]).toEqual([created.url, `${root}/next`])
    expect(await page.title()).toBe('App')
  })
})

describe('a navigation inside the frame that shows a page', () => {
  it('does not navigate the window to another site, and the messages of that site are ignored', async () => {
    const other = await newSite(readerBrowser.service)
    const elsewhere = readerBrowser.service.core.addresses.site(other.space.subdomain)
    await other.page('target', 'text')
    const { created, page, visited } = await open()
    await contentOf(page).evaluate(`void (location = '${elsewhere}/target')`)
    const onward = page.frameLocator('iframe').getByRole('link', { name: 'Continue' })
    await onward.waitFor()
    expect([...visited]).toEqual([created.url])
    await clickUntil(onward, () => page.url() === `${elsewhere}/target`)
    await page.waitForURL(`${elsewhere}/target`)
  })

  it('does not navigate the window if only an inner frame loads another page of the site', async () => {
    const { created, page, visited } = await open(`<iframe src="${root}/articles"></iframe>`)
    await page.frameLocator('iframe').frameLocator('iframe').getByRole('link', { name: 'Continue' }).waitFor()
    expect([...visited]).toEqual([created.url])
  })

  it('makes the whole window open the new page, without a click, if that page is on the same site', async () => {
    const { page } = await open()
    await contentOf(page).evaluate(`void (location = '/articles')`)
    await page.waitForURL(`${root}/articles`)
    await expect.poll(() => page.getByRole('heading').textContent()).toBe('Articles')
  })
})
