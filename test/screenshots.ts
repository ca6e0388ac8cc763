/** `npm run screenshots`: takes the README's screenshots of the demo space and writes them to `docs/images`. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { prepareDemo } from '../server/demo/demo.ts'
import { readSettings } from '../server/settings/settings.ts'
import { type Service, startService } from '../server/start.ts'
import { openLog } from '../server/telemetry/log.ts'
import { withBrowser } from './browser/support/browser.ts'
import { toolClient } from './mcp/support/tool-client.ts'
import { freePort } from './support/program.ts'

const SIZE = { width: 1280, height: 760 }

/** Size limit of an image, in bytes. */
const MAX_BYTES = 150_000

const images = path.resolve('docs/images')

type Scheme = 'light' | 'dark'

/** Signs in to the demo account in a new window. */
const openWindow = async (browser: Browser, signIn: string, scheme: Scheme) => {
  const context = await browser.newContext({
    viewport: SIZE,
    deviceScaleFactor: 1.5,
    colorScheme: scheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(signIn)
  await page.getByRole('button', { name: /^sign in/i }).click()
  await page.waitForURL(url => !url.pathname.endsWith('/link'))
  return { context, page }
}

/** Saves what a window shows in `docs/images`, and closes the window. */
const save = async ({ context, page }: Awaited<ReturnType<typeof openWindow>>, name: string) => {
  await page.waitForLoadState('networkidle')
  const file = path.join(images, `${name}.webp`)
  const { size } = await sharp(await page.screenshot())
    .webp({ quality: 80, effort: 6 })
    .toFile(file)
  await context.close()
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MAX_BYTES}`)
  process.stdout.write(`${file}: ${size} bytes\n`)
}

/** Shows the demo's home page in the editor, with its preview. */
const showEditor = async ({ page }: Awaited<ReturnType<typeof openWindow>>, space: string) => {
  await page.goto(`${space}/pages`)
  await page.getByRole('link', { name: 'index', exact: true }).click()
  const preview = page.frameLocator('iframe[title="Preview of index"]:not([aria-hidden])')
  await preview.getByRole('heading', { name: 'Welcome' }).waitFor()
}

/** Shows the overview of the demo while an agent works on the site. */
const showAgent = async (
  { context, page }: Awaited<ReturnType<typeof openWindow>>,
  service: Service,
  subdomain: string,
) => {
  const root = service.core.addresses.apiRoot
  const response = await context.request.post(`${root}/trpc/keys.issue`, {
    data: { subdomain, label: 'Claude Code', scopes: ['pages', 'data'] },
  })
  const { result } = (await response.json()) as { result: { data: { secret: string } } }
  const agent = toolClient(
    { root: `http://127.0.0.1:${service.port}` },
    '/mcp',
    result.data.secret,
    '2025-11-25',
  )
  const clientInfo = { name: 'Claude Code', version: '1' }
  await agent.send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  // The agent writes the same pages for each color scheme.
  const { structuredContent } = await agent.call('list_pages')
  for (const { id, slug } of (structuredContent as { data: { id: string; slug: string }[] }).data)
    if (NEW_PAGES.includes(slug)) await agent.call('delete_page', { page_id: id })
  const following = page.waitForResponse(response => response.url().includes('/trpc/live.follow'))
  await page.goto(`${root}/admin/spaces/${subdomain}`)
  await following
  await page.getByText('Recent changes').first().waitFor()
  for (const slug of NEW_PAGES) await agent.call('create_page', { slug, html: `<h1>${slug}</h1>` })
  await agent.call('put_data', { key: 'events', value: EVENTS })
  const home = page.frameLocator('iframe[title="Home page"]:not([aria-hidden])')
  await home.getByText('Pumpkin weigh-in').waitFor()
  await page.getByRole('list', { name: 'Latest changes' }).getByText('harvest').waitFor()
}

/** The pages that the agent creates. */
const NEW_PAGES = ['visit', 'harvest']

/** What the agent writes on the home page. */
const EVENTS = [
  { date: '2026-12-05', title: 'Pumpkin weigh-in', place: 'the barn' },
  { date: '2026-12-12', title: 'Seed swap', place: 'the greenhouse' },
  { date: '2026-12-19', title: 'Winter pruning', place: 'the orchard' },
]

const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-screenshots-'))
const settings = readSettings({
  PORT: String(await freePort()),
  DATA_DIR: folder,
  // The dashboard displays the addresses of sites. By default, these addresses contain `PORT`, which can differ between
  // runs. With a fixed port, the images show the same addresses after each run.
  SITE_DOMAIN: 'sites.localhost:3000',
})
const service = await startService(settings, await openLog('warn'))
try {
  await mkdir(images, { recursive: true })
  await withBrowser(async browser => {
    for (const scheme of ['light', 'dark'] as const) {
      // A sign-in link works once, so each screenshot needs a new one.
      const demo = await prepareDemo(service.core)
      const { apiRoot } = service.core.addresses
      const editor = await openWindow(browser, demo!.signInLink!, scheme)
      await showEditor(editor, `${apiRoot}/admin/spaces/${demo!.subdomain}`)
      await save(editor, `dashboard-${scheme}`)
    }
    for (const scheme of ['light', 'dark'] as const) {
      const again = await prepareDemo(service.core)
      const overview = await openWindow(browser, again!.signInLink!, scheme)
      await showAgent(overview, service, again!.subdomain)
      await save(overview, `live-${scheme}`)
    }
  })
} finally {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
}
