/** Compares published pages with plain files: links and forms. */
import type { Frame } from 'playwright-core'
import {
  address,
  arrive,
  compareWithPlainFiles,
  contentOf,
  press,
  pressEnter,
  type Reading,
  reach,
  seen,
  useReaders,
  WITH_FORMS,
} from '../support/reading.ts'

const follow = (id: string, heading: string) => async (reading: Reading) => {
  await contentOf(reading.page).locator(`#${id}`).click()
  await arrive(reading, heading)
  return { ...(await seen(reading)), entries: await reading.page.evaluate('history.length') }
}

const followHere = (id: string, expected: string) => async (reading: Reading) => {
  await contentOf(reading.page).locator(`#${id}`).click()
  await address(reading, expected)
  await arrive(reading, 'First')
  return seen(reading)
}

/** Returns an action that opens another tab with a click. */
const inNewTab =
  (id: string, options?: Parameters<ReturnType<Frame['locator']>['click']>[0]) =>
  async (reading: Reading) => {
    const opened = reading.context.waitForEvent('page')
    await contentOf(reading.page).locator(`#${id}`).click(options)
    const page = await opened
    await arrive({ page }, 'Other')
    return { here: await seen(reading), there: await seen({ ...reading, page }) }
  }

compareWithPlainFiles(useReaders(), [
  { what: 'follows a relative link', perform: follow('relative', 'Other') },
  { what: 'follows a link to a path', perform: follow('path', 'Other') },
  { what: 'follows a link to the home page', perform: follow('start', 'Start') },
  { what: 'follows a link to a query of the same page', perform: followHere('query', '/first?tag=a') },
  { what: 'follows a link with target="_top"', perform: follow('top', 'Other') },
  {
    what: 'follows a link of a page with <base target="_top">',
    perform: async reading => {
      await follow('base', 'Base')(reading)
      return follow('path', 'Other')(reading)
    },
  },
  {
    what: 'follows a link to a missing page',
    perform: async reading => {
      const { heading, address: at } = await follow('missing', 'Page not found')(reading)
      return { heading, at }
    },
  },
  {
    what: 'follows a link to a place in another page',
    perform: async reading => {
      const arrived = await follow('beyond', 'Other')(reading)
      await reach(reading, 'far')
      return arrived
    },
  },
  { what: 'clicks a link with the middle button', perform: inNewTab('relative', { button: 'middle' }) },
  { what: 'clicks a link with Control', perform: inNewTab('path', { modifiers: ['ControlOrMeta'] }) },
  { what: 'clicks a link with target="_blank"', perform: inNewTab('blank') },
  {
    what: 'presses Enter on a link',
    perform: async reading => {
      await pressEnter(reading, 'relative', 'Other')
      return seen(reading)
    },
  },
  {
    what: 'presses Enter in a form',
    kinds: WITH_FORMS,
    perform: async reading => {
      await pressEnter(reading, 'field', 'Other')
      return seen(reading)
    },
  },
  { what: 'submits a form to another page', kinds: WITH_FORMS, perform: follow('send', 'Other') },
  {
    what: 'submits a form with target="_top" to another website',
    kinds: WITH_FORMS,
    perform: follow('send-away', 'Other'),
  },
  {
    what: 'presses a button whose script sets `location.href`',
    kinds: WITH_FORMS,
    perform: follow('script', 'Other'),
  },
  {
    what: 'presses a button whose script opens a download',
    kinds: WITH_FORMS,
    perform: async reading => {
      const download = reading.page.waitForEvent('download')
      // A click would wait for the navigation, which never ends in another document.
      await press(reading, 'download')
      const { address: at, heading } = await seen(reading)
      return { downloaded: (await download).url(), at, heading }
    },
  },
  {
    what: 'submits a form to the same page',
    kinds: WITH_FORMS,
    perform: followHere('send-here', '/first?q=y'),
  },
])
