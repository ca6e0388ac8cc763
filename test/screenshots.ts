/** `npm run screenshots`: takes the README's screenshots of the demo space and writes them to `docs/images`. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { prepareDemo } from '../server/demo/demo.ts'
import { readSettings } from '../server/settings/settings.ts'
import { startService } from '../server/start.ts'
import { openLog } from '../server/telemetry/log.ts'
import { withBrowser } from './browser/support/browser.ts'
import { freePort } from './support/program.ts'

const SIZE = { width: 1280, height: 760 }

/** Size limit of an image, in bytes. */
const MAX_BYTES = 150_000

const images = path.resolve('docs/images')

/** Opens the demo's home page in the editor and saves a screenshot after its preview has appeared. */
const takeScreenshot = async (browser: Browser, signIn: string, pages: string, scheme: 'light' | 'dark') => {
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
  await page.goto(pages)
  await page.getByRole('link', { name: 'index', exact: true }).click()
  const preview = page.frameLocator('iframe[title="Preview of index"]:not([aria-hidden])')
  await preview.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.waitForLoadState('networkidle')
  const file = path.join(images, `dashboard-${scheme}.webp`)
  const { size } = await sharp(await page.screenshot())
    .webp({ quality: 80, effort: 6 })
    .toFile(file)
  await context.close()
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MAX_BYTES}`)
  process.stdout.write(`${file}: ${size} bytes\n`)
}

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
      await takeScreenshot(
        browser,
        demo!.signInLink!,
        `${apiRoot}/admin/spaces/${demo!.subdomain}/pages`,
        scheme,
      )
    }
  })
} finally {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
}
