/** Starts the real browser that tests look at pages with. */
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'

/** Where the browser is: `CHROMIUM_PATH`, or where Debian's package puts it. */
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Runs `use` with a headless Chromium and closes it afterwards, whatever happens.
 * Further command line switches may be given, such as `--host-resolver-rules=…`.
 * @throws Error of playwright-core when no browser is at the path.
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

/** A headless Chromium for a whole test file; whoever launches it closes it with `close()`. */
export function launchBrowser(switches: readonly string[] = []): Promise<Browser> {
  // Without a locale of UTF-8 it would name no download whose name is not of ASCII.
  const env = { ...process.env, LANG: 'C.UTF-8' }
  return chromium.launch({ executablePath, env, args: [...args, ...switches] })
}
