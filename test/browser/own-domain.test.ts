/** A site at a domain of its own, as its author and its readers see it in a browser. */
import { sql } from 'kysely'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDnsServer } from '../support/dns-server.ts'
import type { TestSpace } from '../support/test-service.ts'
import { PASSWORD, root, useDashboard } from './support/dashboard.ts'
import { draft, expectShown, staticDraft } from './support/page-preview.ts'

const DOMAIN = 'bakery.example'

const dns = await startDnsServer()
// The browser asks no DNS server: these names lead to the service.
const dashboard = useDashboard({ dnsServers: [dns.address] }, [
  '--host-resolver-rules=MAP *.example 127.0.0.1',
])
afterAll(() => dns.stop())

let space: TestSpace
/** The address of the site. */
let own: string
let menuId: string

const MENU = '<title>Menu</title><h1>Menu</h1><a href="/app">Order</a> <i>{{ space.url }}</i>'
const APP = `<title>Order</title><script src="/_page.js"></script><h1>Order</h1>
  <a href="/menu?from=app">Menu</a> <a href="#terms">Terms</a>
  <form action="/menu"><input name="q" value="rye"><button>Search</button></form>
  <button id="push" onclick="history.pushState(null, '', '/app?step=2')">Next</button>
  <p id="cookie"></p><p id="call"></p>
  <script>
    try { cookie.textContent = 'cookie: ' + document.cookie } catch { cookie.textContent = 'no cookies' }
    fetch('ROOT/trpc/accounts.me', { credentials: 'include' }).then(
      () => call.textContent = 'answered', () => call.textContent = 'refused')
  </script>`

/** Creates a site. Returns the id of its menu. */
const newSite = async ({ owner, subdomain }: TestSpace): Promise<string> => {
  const app = APP.replace('ROOT', root(dashboard.service))
  await owner.pages.create({ subdomain, slug: 'app', kind: 'scripted', html: app })
  return (await owner.pages.create({ subdomain, slug: 'menu', kind: 'static', html: MENU })).id
}

/** The address of a name that leads to the service. */
const addressOf = (name: string) =>
  `http://${name}:${dashboard.service.core.addresses.siteDomain.split(':')[1]}`

beforeAll(async () => {
  space = await dashboard.service.createSpace()
  own = addressOf(DOMAIN)
  dns.set(new URL(dashboard.service.core.addresses.site(space.subdomain)).hostname, { a: ['127.0.0.1'] })
  menuId = await newSite(space)
})

/** Waits until the address bar shows a URL. */
const at = (page: Page, url: string) => page.waitForURL(url)

const inFrame = (page: Page) => page.frameLocator('iframe')

describe('a site at a domain of its own', () => {
  test('gets it in the settings: what is missing is said until the records are set', async () => {
    const { page } = await dashboard.inSpace(space, '/settings')
    const section = page.getByRole('region', { name: 'Domains' })
    await section.getByLabel('Domain', { exact: true }).fill(DOMAIN)
    await section.getByRole('button', { name: 'Add a domain' }).click()
    await section.getByText('The TXT record is missing.').first().waitFor()
    const record = (await space.owner.domains.list({ subdomain: space.subdomain })).domains[0]!.records[0]!
    dns.set(record.name, { txt: [record.value] })
    dns.set(DOMAIN, { a: ['127.0.0.1'] })
    await section.getByRole('button', { name: `Check now: ${DOMAIN}` }).click()
    await section.getByText('This is your main address.').waitFor()
    expect((await space.owner.domains.list({ subdomain: space.subdomain })).domains[0]!.url).toBe(own)
  })

  test('is opened there, also by its subdomain; links, history and forms stay there', async () => {
    // Without https, browsers say only to names below `localhost` what they request a document for, and a domain there can
    // only be planted.
    const other = await dashboard.service.createSpace()
    await newSite(other)
    const { core } = dashboard.service
    await sql`insert into domains (space_id, name, base, is_main, created_at, verified_at, is_here, next_check_at, checks)
      select id, 'cafe.localhost', 'cafe.localhost', true, now(), now(), true, now() + interval '1 day', 0
      from space_names where subdomain = ${other.subdomain}`.execute(core.database)
    await sql`update spaces set main_host = 'cafe.localhost', revision = revision + 1
      where subdomain = ${other.subdomain}`.execute(core.database)
    await core.verifiedDomains.refresh()
    const own = addressOf('cafe.localhost')

    const { page } = await dashboard.window()
    await page.goto(`${core.addresses.site(other.subdomain)}/menu?day=1`)
    await at(page, `${own}/menu?day=1`)
    await page.getByText(own, { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Order' }).click()
    await at(page, `${own}/app`)
    await inFrame(page).getByRole('link', { name: 'Terms' }).click()
    await at(page, `${own}/app#terms`)
    await inFrame(page).getByRole('button', { name: 'Next' }).click()
    await at(page, `${own}/app?step=2`)
    await page.goBack()
    await at(page, `${own}/app#terms`)

    await page.goto(`${own}/app`)
    await inFrame(page).getByRole('link', { name: 'Menu' }).click()
    await at(page, `${own}/menu?from=app`)
    await page.goBack()
    await at(page, `${own}/app`)
    await inFrame(page).getByRole('button', { name: 'Search' }).click()
    await at(page, `${own}/menu?q=rye`)
    await expect.poll(() => page.title()).toBe('Menu')
  })

  test('gets no cookie of the service and cannot call it, even in the browser of its author', async () => {
    const { context, page } = await dashboard.window()
    await context.request.post(`${root(dashboard.service)}/trpc/sessions.create`, {
      data: { handle: space.owner.handle, password: PASSWORD },
    })
    const sent: Promise<string | null>[] = []
    const record = (request: Request) => {
      if (!request.url().startsWith(root(dashboard.service))) sent.push(request.headerValue('cookie'))
    }
    page.on('request', record)
    await page.goto(`${own}/app`)
    await inFrame(page).getByText('refused', { exact: true }).waitFor()
    await inFrame(page)
      .getByText(/^(no cookies|cookie: ?)$/)
      .waitFor()
    expect((await context.cookies(root(dashboard.service))).length).toBeGreaterThan(0)
    expect(await context.cookies([own, `${own}/app`])).toEqual([])
    // The headers of a request that is on its way when the window closes cannot be read, so record none after this.
    page.off('request', record)
    expect((await Promise.all(sent)).filter(cookie => cookie !== null)).toEqual([])
    await page.goto(`${own}/admin`)
    await page.getByText('Page not found').first().waitFor()
  })

  test('is what the preview and a shared draft link to', async () => {
    const { page, open } = await dashboard.inSpace(space, `/pages/${menuId}`)
    await expectShown(staticDraft(page).getByText(own, { exact: true }))
    const { owner } = space
    const thing = { subdomain: space.subdomain, kind: 'page' as const, thing: menuId }
    const fields = { slug: 'menu', kind: 'static' as const, html: '<h1>Soon</h1><i>{{ page.url }}</i>' }
    await owner.unsaved.keep({ ...thing, is_new: false, fields, base: null })
    const { draft_id: draftId } = await owner.unsaved.share(thing)
    await open(`/spaces/${space.subdomain}/drafts/${draftId}`)
    await expectShown(staticDraft(page).getByText(`${own}/menu`, { exact: true }))
    await expectShown(draft(page).locator('iframe'))
  })
})
