/** Compares published pages with plain files: addresses that other programs open, such as those of mail. */
import {
  arrive,
  compareWithPlainFiles,
  contentOf,
  PROGRAMS,
  type Reading,
  seen,
  useReaders,
  WITH_FORMS,
} from '../support/reading.ts'

/**
 * Returns an action that opens an address of each scheme in each of the given ways. The headless browser has no other
 * programs, so it ends such a request as aborted. If a policy blocks the address, there is no request, and the browser's
 * error page replaces the page.
 */
const openIn =
  (...ways: string[]) =>
  async (reading: Reading) => {
    const { context, page, root } = reading
    await page.goto(`${root}/programs`)
    await arrive(reading, 'Programs')
    const outcomes = []
    for (const way of ways)
      for (const scheme of Object.keys(PROGRAMS)) {
        const [request] = await Promise.all([
          context.waitForEvent('requestfailed', failed => failed.url().startsWith(`${scheme}:`)),
          contentOf(page).locator(`#${way}-${scheme}`).click(),
        ])
        outcomes.push([way, request.url(), request.failure()?.errorText])
      }
    return { outcomes, ...(await seen(reading)) }
  }

compareWithPlainFiles(useReaders(), [
  { what: 'follows links to other programs', perform: openIn('link', 'top') },
  { what: 'submits forms to other programs', perform: openIn('form'), kinds: WITH_FORMS },
  {
    what: 'presses buttons whose scripts open other programs',
    perform: openIn('href', 'assign', 'open'),
    kinds: WITH_FORMS,
  },
])
