/** Starts Chromium for the tests. */
import { existsSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'

/** Path of the browser. The headless shell is preferred: it draws no window and is a third faster. */
const executablePath =
  process.env.CHROMIUM_PATH ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(path => existsSync(path)) ??
  '/usr/bin/chromium-headless-shell'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Runs `use` with a headless Chromium and always closes it afterwards.
 *
 * @param switches further command line switches, such as `--host-resolver-rules=…`
 * @throws Error of playwright-core if there is no browser at the path
 */
export async function withBrowser<Result>(
  use: (browser: Browser) => Promise<Result>,
  switches: readonly string[] = [],
): Promise<Result> {
  const browser = await launchBrowser(switches)
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}

/** Launches a headless Chromium. The caller closes it with `close()`. */
export function launchBrowser(switches: readonly string[] = []): Promise<Browser> {
  // Without a UTF-8 locale, Chromium loses download names that contain non-ASCII characters.
  const env = { ...process.env, LANG: 'C.UTF-8' }
  return chromium.launch({ executablePath, env, args: [...args, ...switches] })
}
