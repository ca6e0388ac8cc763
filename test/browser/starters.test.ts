import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { starters } from '../../routers/api/rules.ts'
import { requestHost } from '../support/request-host.ts'
import { violationsOf } from './support/axe.ts'
import { useReaderBrowser } from './support/delivery.ts'

const site = useReaderBrowser()

const APPEARANCES = [
  { width: 360, scheme: 'light' },
  { width: 360, scheme: 'dark' },
  { width: 768, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 1440, scheme: 'light' },
] as const

/** Returns the addresses of all links of a page. */
const linksOf = (page: Page) =>
  page.evaluate<string[]>("[...document.querySelectorAll('a')].map(link => link.href)")

/** Requests an address of a site without a DNS query, because not every machine resolves subdomains of localhost. */
const open = (address: string) => {
  const { host, pathname } = new URL(address)
  return requestHost(site.service, host, pathname)
}

/**
 * Starts a proxy that serves pages without their Content-Security-Policy, which would not let axe run its scripts. The
 * query string of a request to the proxy is the URL-encoded address of the page.
 */
const serveWithoutPolicy = async (): Promise<Server> => {
  const server = createServer((req, res) => {
    void open(decodeURIComponent(req.url!.slice('/?'.length))).then(({ text }) =>
      res.setHeader('Content-Type', 'text/html; charset=utf-8').end(text),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

let server: Server
beforeAll(async () => {
  server = await serveWithoutPolicy()
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Checks a page in one appearance. If `SHOTS` names a folder, saves a screenshot there. */
const check = async (page: Page, name: string, { width, scheme }: (typeof APPEARANCES)[number]) => {
  const what = `${name}, ${width} px, ${scheme}`
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme: scheme })
  await page.evaluate(`(async () => {
    for (const image of document.images) { image.loading = 'eager'; await image.decode() }
    await document.fonts.ready
  })()`)
  const { SHOTS } = process.env
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-${width}-${scheme}.png`, fullPage: true })
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  expect({ what, isTooWide: overflow > 0, violations: await violationsOf(page) }).toEqual({
    what,
    isTooWide: false,
    violations: [],
  })
}

describe.each(starters)('the starter %s', starter => {
  test('has pages without overflow, accessibility violations or broken links', async () => {
    const { service } = site
    const owner = await service.signUp()
    const subdomain = `new-${starter}`
    const { url } = await owner.spaces.create({ subdomain, name: 'Salt and Cedar', starter })
    const { data: pages } = await owner.pages.list({ subdomain })
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.every(({ kind }) => kind === 'static')).toBe(true)
    const { page } = await site.window({ reducedMotion: 'reduce' })
    const failed: string[] = []
    page.on('requestfailed', request => {
      // Opening the next page aborts requests that are still running.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') failed.push(request.url())
    })
    page.on('response', response => response.status() >= 400 && failed.push(response.url()))
    const unrestricted = (await site.window({ reducedMotion: 'reduce' })).page
    const { port } = server.address() as AddressInfo
    const linked = new Set<string>()
    for (const { slug, url: address } of pages) {
      await page.goto(address)
      await page.evaluate('document.fonts.ready')
      expect(await page.title()).toContain('Salt and Cedar')
      // The starter's own font has loaded.
      await expect
        .poll(() =>
          page.evaluate<number>("[...document.fonts].filter(font => font.status === 'loaded').length"),
        )
        .toBeGreaterThan(0)
      for (const link of await linksOf(page)) linked.add(link.replace(/#.*/, ''))
      await unrestricted.goto(`http://127.0.0.1:${port}/?${encodeURIComponent(address)}`)
      for (const appearance of APPEARANCES) await check(unrestricted, `${starter}-${slug}`, appearance)
    }
    const own = [...linked].filter(link => link.startsWith(url))
    expect(own.length).toBeGreaterThan(1)
    for (const link of own) expect({ link, status: (await open(link)).status }).toEqual({ link, status: 200 })
    // All other links are examples that the owner of the space will replace.
    const foreign = [...linked].filter(link => !link.startsWith(url))
    expect(
      foreign.filter(
        link => !/^mailto:[a-z]+@example\.com$|^tel:\+\d+$|^https:\/\/example\.com\//.test(link),
      ),
    ).toEqual([])
    expect(failed).toEqual([])
  })

  test('has templates without hints', async () => {
    const { service } = site
    const owner = await service.signUp()
    const subdomain = `hints-${starter}`
    await owner.spaces.create({ subdomain, name: 'Salt and Cedar', starter })
    const { data: pages } = await owner.pages.list({ subdomain })
    for (const { id, slug } of pages) {
      const { html, kind } = await owner.pages.get({ subdomain, page_id: id })
      const preview = await owner.previews.page({ subdomain, editor: 'one', slug, kind, html })
      expect(preview).toMatchObject({ outcome: 'document', review: { hints: [], links: [], removed: [] } })
    }
  })
})
