/** `npm run screenshots`: takes the pictures of the starters and writes them to `facades/admin/spaces/starters`. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { newId } from '../db/id.ts'
import { insertAccount } from '../db/queries/accounts.ts'
import { starters } from '../routers/api/rules.ts'
import { actAs } from '../server/demo/act-as.ts'
import { readSettings } from '../server/settings/settings.ts'
import { startService } from '../server/start.ts'
import { openLog } from '../server/telemetry/log.ts'
import { withBrowser } from './browser/support/browser.ts'
import { freePort } from './support/program.ts'

/** Size of the window, and widths of the small pictures and of those of whole pages, in pixels. */
const WINDOW = { width: 1024, height: 768 }
const WIDTH = 480
const WHOLE_WIDTH = 960

const NAMES = {
  blog: 'Slow Weather',
  portfolio: 'Inês Prado',
  documentation: 'Lumen',
  event: 'Open City',
  links: 'Salt & Cedar',
  restaurant: 'The Blue Door',
  club: 'Eastmere Rowing',
  personal: 'juno’s corner',
} as const

const folder = path.resolve('facades/admin/spaces/starters')

const takePicture = async (browser: Browser, url: string, name: string, scheme: 'light' | 'dark') => {
  const context = await browser.newContext({ viewport: WINDOW, colorScheme: scheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(url)
  await page.evaluate('document.fonts.ready')
  const save = async (screenshot: Buffer, width: number, ending: string) => {
    const file = path.join(folder, `${name}-${ending}.webp`)
    const { size } = await sharp(screenshot).resize(width).webp({ quality: 78, effort: 6 }).toFile(file)
    process.stdout.write(`${file}: ${size} bytes\n`)
  }
  await save(await page.screenshot(), WIDTH, scheme)
  await save(await page.screenshot({ fullPage: true }), WHOLE_WIDTH, `whole-${scheme}`)
  await context.close()
}

const data = await mkdtemp(path.join(os.tmpdir(), 'space-site-starters-'))
const settings = readSettings({ PORT: String(await freePort()), DATA_DIR: data, DEMO: '0' })
const service = await startService(settings, await openLog('warn'))
try {
  await mkdir(folder, { recursive: true })
  const { core } = service
  const account = { id: newId(), handle: 'pictures', created_at: new Date() }
  await insertAccount(core.database, account)
  await withBrowser(browser =>
    actAs(core, account, async call => {
      for (const starter of starters) {
        const { url } = await call.spaces.create({
          subdomain: `the-${starter}`,
          name: NAMES[starter],
          starter,
        })
        for (const scheme of ['light', 'dark'] as const) await takePicture(browser, url, starter, scheme)
      }
    }),
  )
} finally {
  await service.stop()
  await rm(data, { recursive: true, force: true })
}
