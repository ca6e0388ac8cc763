import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { toolClient } from '../../mcp/support/tool-client.ts'
import { copyDatabase } from '../../support/database.ts'
import { freePort, run } from '../../support/program.ts'
import type { Person, TestService, TestSpace } from '../../support/test-service.ts'
import { expectAccessible, PASSWORD, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'
import { expectShown, upToDate } from '../support/page-preview.ts'

const dashboard = useDashboard()
let space: TestSpace
let agent: Awaited<ReturnType<typeof connectAgent>>

/** Connects an agent as people do, so that the history has its name. */
const connectAgent = async (service: Pick<TestService, 'root'>, secret: string) => {
  const client = toolClient(service, '/mcp', secret, '2025-11-25')
  const clientInfo = { name: 'Claude Code', version: '1' }
  await client.send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  return {
    page: async (slug: string, html = `<h1>${slug}</h1>`) => {
      const { structuredContent } = await client.call('create_page', { slug, html })
      return structuredContent as { id: string }
    },
    change: (page_id: string, html: string) => client.call('update_page', { page_id, html }),
    record: (key: string, value: unknown) => client.call('put_data', { key, value }),
  }
}

beforeEach(async () => {
  space = await dashboard.service.createSpace()
  agent = await connectAgent(dashboard.service, await space.key('pages', 'data'))
})

const row = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })

/**
 * Opens a view, and waits until its window has handled the first event of its stream. That event has the latest changes,
 * which are old; what others change from then on is news.
 */
const open = async (person: Person, path: string) => {
  const window = await dashboard.as(person)
  // A window passes each event on to the other windows of its browser after handling it.
  await window.page.addInitScript(`
    if (top === window)
      new BroadcastChannel('live').addEventListener('message', ({ data }) => {
        if (data.kind === 'event' && data.event.kind === 'changes') window.hasFollowed = true
      })`)
  await window.open(`/spaces/${space.subdomain}${path}`)
  await expect.poll(() => window.page.evaluate<boolean>('window.hasFollowed === true')).toBe(true)
  return window
}

/**
 * Keeps marked rows marked until the returned function is called. A mark lasts three seconds, and a slow list may show the
 * row only after that.
 */
const keepMarks = async (page: Page) => {
  await page.evaluate(`{
    const start = setTimeout
    window.endings = []
    window.setTimeout = (work, delay, ...given) =>
      delay === 3_000 ? endings.push(work) : start(work, delay, ...given)
  }`)
  return () => page.evaluate('for (const end of endings) end()')
}

/** Resolves once a window has a stream. */
const isFollowing = (page: Page) =>
  page.waitForResponse(response => response.url().includes('/trpc/live.follow') && response.ok())

test('what an agent writes appears in the open list, is marked, and is told once', async () => {
  await agent.page('index')
  const { page } = await open(space.owner, '/pages')
  const endMarks = await keepMarks(page)
  await agent.page('menu')
  await row(page, 'menu').waitFor()
  await page.locator('[data-changed]').filter({ hasText: 'menu' }).waitFor()
  await page.getByRole('banner').getByText('Claude Code created 2 pages').waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: 'Claude Code created the page menu.' })
    .waitFor({ state: 'attached' })
  await endMarks()
  await expect.poll(() => page.locator('[data-changed]').count()).toBe(0)
  await expectAccessible(page, 'live-pages')
})

test('the overview shows the home page and the changes while they come in', async () => {
  const { id } = await agent.page('index', '<h1>{{ data.site.title }}</h1>')
  await agent.record('site', { title: 'Old title' })
  const { page } = await open(space.owner, '')
  await page.getByText('Recent changes').first().waitFor()
  await expect.poll(() => page.getByText('Happening now').count()).toBe(0)
  await agent.record('site', { title: 'New title' })
  await page.getByRole('heading', { name: 'Happening now' }).waitFor()
  const home = page.frameLocator('iframe[title="Home page"]:not([aria-hidden])')
  await expectShown(home.getByRole('heading', { name: 'New title' }))
  await agent.change(id, '<h1>Newest title</h1>')
  await expectShown(home.getByRole('heading', { name: 'Newest title' }))
  const list = page.getByRole('list', { name: 'Latest changes' })
  await expect
    .poll(() => list.getByRole('listitem').allInnerTexts())
    .toEqual([expect.stringMatching(/index.*changed/s), expect.stringMatching(/site.*changed/s)])
  await expectAccessible(page, 'live-overview')
})

test('the picture of a page in the list shows what others have just changed', async () => {
  const { id } = await agent.page('index', '<h1>Before</h1>')
  const { page } = await open(space.owner, '/pages')
  const picture = page.frameLocator(`iframe[src$="/pictures/${space.subdomain}/index"]`)
  await expectShown(picture.getByRole('heading', { name: 'Before' }))
  await agent.change(id, '<h1>After</h1>')
  await expectShown(picture.getByRole('heading', { name: 'After' }))
  await expect.poll(() => picture.getByText('Before').count()).toBe(0)
})

test('an editor in which nothing is typed shows a newer version, and says so', async () => {
  const { id } = await agent.page('menu', '<p>one</p>')
  const { page } = await open(space.owner, `/pages/${id}`)
  const body = page.getByRole('textbox', { name: 'Page body' })
  await expect.poll(() => body.innerText()).toContain('one')
  await upToDate(page)
  // The first event makes the window read the page again. If that happened after the change, the editor would show the
  // newer version before the window has heard whose it is. After another change, the preview is evaluated again only
  // when the page has been read.
  const evaluated = page.waitForRequest(/previews\.page/)
  await agent.page('other')
  await evaluated
  await agent.change(id, '<p>two</p>')
  await page.getByText(/You see the version of this page that Claude Code saved/).waitFor()
  await expect.poll(() => body.innerText()).toContain('two')
  await page.getByText('All changes saved').waitFor()
})

test('an editor in which something is typed keeps it, and offers to compare', async () => {
  const { id } = await agent.page('menu', '<p>one</p>')
  const { page } = await open(space.owner, `/pages/${id}`)
  await write(page, '<p>mine</p>', 'Page body')
  await agent.change(id, '<p>two</p>')
  await page.getByText(/A newer version of this page was saved by Claude Code/).waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Page body' }).innerText()).toContain('mine')
  await page.getByRole('button', { name: 'Compare with yours' }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Their version' }).innerText()).toContain('two')
})

test('an editor shows its draft with the part that someone else has changed', async () => {
  const { body: part } = await space.api.post<{ id: string }>('/parts', {
    name: 'head',
    html: '<h1>Before</h1>',
  })
  const { id } = await agent.page('menu', "{% render 'head' %}")
  const { page } = await open(space.owner, `/pages/${id}`)
  const preview = page.frameLocator('iframe[title="Preview of menu"]:not([aria-hidden])')
  await expectShown(preview.getByRole('heading', { name: 'Before' }))
  await space.api.patch(`/parts/${part.id}`, { html: '<h1>After</h1>' })
  await expectShown(preview.getByRole('heading', { name: 'After' }))
  await expect.poll(() => preview.getByRole('heading', { name: 'Before' }).count()).toBe(0)
})

test('an editor shows what someone else has changed before its window could follow the space', async () => {
  const { body: part } = await space.api.post<{ id: string }>('/parts', {
    name: 'head',
    html: '<h1>Before</h1>',
  })
  const { id } = await agent.page('menu', "{% render 'head' %}")
  const window = await dashboard.as(space.owner)
  const { page } = window
  const released = Promise.withResolvers<void>()
  await page.route('**/trpc/live.follow*', async route => {
    await released.promise
    await route.continue()
  })
  await window.open(`/spaces/${space.subdomain}/pages/${id}`)
  const preview = page.frameLocator('iframe[title="Preview of menu"]:not([aria-hidden])')
  await expectShown(preview.getByRole('heading', { name: 'Before' }))
  await space.api.patch(`/parts/${part.id}`, { html: '<h1>After</h1>' })
  released.resolve()
  await expectShown(preview.getByRole('heading', { name: 'After' }))
})

test('people see who else has the space open, and no longer once they leave', async () => {
  const guest = await space.join()
  const { page } = await open(space.owner, '/pages')
  const { context } = await open(guest, '/parts')
  const here = page.getByText(`${guest.handle} has this space open`)
  await here.waitFor({ state: 'attached' })
  await expectAccessible(page, 'live-people')
  await context.close()
  await here.waitFor({ state: 'detached' })
})

/** Counts the open streams of a browser. */
const streamsOf = (context: BrowserContext) => {
  const streams = new Set<object>()
  context.on('request', request => request.url().includes('/trpc/live.follow') && streams.add(request))
  context.on('requestfailed', request => streams.delete(request))
  context.on('requestfinished', request => streams.delete(request))
  return streams
}

test('the tabs of a browser share one stream, and another one takes over when its tab is closed', async () => {
  await agent.page('index')
  const first = await dashboard.as(space.owner)
  const streams = streamsOf(first.context)
  const following = isFollowing(first.page)
  await first.open(`/spaces/${space.subdomain}/pages`)
  await following
  const second = await first.context.newPage()
  await second.goto(first.page.url())
  await row(second, 'index').waitFor()
  await agent.page('one')
  await Promise.all([row(first.page, 'one').waitFor(), row(second, 'one').waitFor()])
  await expect.poll(() => streams.size).toBe(1)
  const takingOver = isFollowing(second)
  await first.page.close()
  await agent.page('two')
  await takingOver
  await row(second, 'two').waitFor()
})

test('a browser that was offline shows what it has missed', async () => {
  await agent.page('index')
  const { page, context } = await open(space.owner, '/pages')
  await row(page, 'index').waitFor()
  await context.setOffline(true)
  await agent.page('missed')
  const back = isFollowing(page)
  await context.setOffline(false)
  await back
  await row(page, 'missed').waitFor()
  expect(await row(page, 'missed').count()).toBe(1)
})

test('signing out in one tab ends the stream, and the other tabs notice', async () => {
  const { page, context } = await open(space.owner, '/pages')
  const second = await context.newPage()
  await second.goto(page.url())
  await second.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('dialog', { name: 'Account menu' }).getByRole('button', { name: 'Sign out' }).click()
  await Promise.all([page, second].map(tab => tab.getByLabel('Password', { exact: true }).waitFor()))
  expect(new URL(second.url()).pathname).toBe('/admin/sign-in')
})

test('a burst of changes causes few refetches', async () => {
  await agent.page('index')
  const { page } = await open(space.owner, '/pages')
  await row(page, 'index').waitFor()
  let refetches = 0
  page.on('request', request => {
    if (request.url().includes('pages.list')) refetches++
  })
  const client = toolClient(dashboard.service, '/mcp/studio', await space.key('pages', 'data'), '2025-11-25')
  const rounds = 10
  for (let round = 0; round < rounds; round++)
    await client.call('write_many', {
      pages: Array.from({ length: 50 }, (_, n) => ({ slug: `p-${round}-${n}`, html: 'x' })),
    })
  await page
    .getByPlaceholder(/search/i)
    .or(page.getByRole('searchbox'))
    .first()
    .fill('p-9-49')
  await row(page, 'p-9-49').waitFor()
  expect(refetches).toBeLessThanOrEqual(2 * rounds)
})

test('no change is missing after the serving process was killed', async () => {
  const port = await freePort()
  const environment = {
    PORT: String(port),
    API_ROOT: `http://localhost:${port}`,
    DATABASE_URL: await copyDatabase(inject('database')),
    DEMO: '0',
    SIGN_UP: 'open',
    RENDER_PROCESSES: '1',
  }
  let program = run('server/main.mjs', environment)
  onTestFinished(async () => void (await program.end('SIGKILL')))
  await program.waitForOutput(/Dashboard/)
  const { page, context } = await dashboard.anonymous()
  const call = async (name: string, data: unknown) => {
    const response = await context.request.post(`http://localhost:${port}/trpc/${name}`, { data })
    expect({ name, isOk: response.ok() }).toEqual({ name, isOk: true })
    return ((await response.json()) as { result: { data: { secret: string } } }).result.data
  }
  await call('accounts.signUp', { handle: 'keeper', password: PASSWORD })
  await call('spaces.create', { subdomain: 'killed', name: 'Killed' })
  const { secret } = await call('keys.issue', {
    subdomain: 'killed',
    label: 'Agent',
    scopes: ['pages', 'data'],
  })
  const writer = await connectAgent({ root: `http://127.0.0.1:${port}` }, secret)
  await writer.page('index')
  const following = isFollowing(page)
  await page.goto(`http://localhost:${port}/admin/spaces/killed/pages`)
  await following
  await writer.page('before')
  await row(page, 'before').waitFor()

  await program.end('SIGKILL')
  program = run('server/main.mjs', environment)
  await program.waitForOutput(/Dashboard/)
  for (const slug of ['one', 'two', 'three']) await writer.page(slug)
  for (const slug of ['one', 'two', 'three']) await row(page, slug).waitFor()
  expect(await row(page, 'before').count()).toBe(1)
})
