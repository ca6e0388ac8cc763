/** Compares published pages with plain files: Back and Forward, fragments and scroll positions. */
import {
  address,
  arrive,
  back,
  compareWithPlainFiles,
  forward,
  press,
  reach,
  scroll,
  seen,
  settle,
  useReaders,
  WITH_REPORTS,
} from '../support/reading.ts'

compareWithPlainFiles(useReaders(), [
  {
    what: 'follows a link with a full address to a place on the page, and goes back',
    perform: async reading => {
      await press(reading, 'own')
      await reach(reading, 'far')
      await address(reading, '/first#far')
      await back(reading)
      await reach(reading, 0)
      return reading.page.title()
    },
  },
  {
    what: 'follows a link with target="_top" to a place on the page',
    perform: async reading => {
      await press(reading, 'top-within')
      await address(reading, '/first#far')
      await reach(reading, 'far')
      return seen(reading)
    },
  },
  {
    what: 'follows a link to a place on the page, goes back and forward',
    perform: async reading => {
      await press(reading, 'within')
      await reach(reading, 'far')
      await back(reading)
      await reach(reading, 0)
      await forward(reading)
      await reach(reading, 'far')
      return reading.page.title()
    },
  },
  {
    what: 'follows links to places on the page, and sees their addresses in the window',
    kinds: WITH_REPORTS,
    perform: async reading => {
      for (const id of ['within', 'own']) {
        await press(reading, id)
        await address(reading, '/first#far')
        await reach(reading, 'far')
        await back(reading)
        await address(reading, '/first')
        await reach(reading, 0)
      }
      return seen(reading)
    },
  },
  {
    what: 'types a fragment, and goes back',
    perform: async reading => {
      await reading.page.goto(`${reading.root}/first#far`)
      await reach(reading, 'far')
      await back(reading)
      await address(reading, '/first')
      await reach(reading, 0)
      return seen(reading)
    },
  },
  {
    what: 'scrolls, follows a link, goes back and forward',
    perform: async reading => {
      await scroll(reading, 1234)
      await press(reading, 'below')
      await arrive(reading, 'Other')
      await scroll(reading, 567)
      await back(reading)
      await arrive(reading, 'First')
      await reach(reading, 1234)
      const returned = await seen(reading)
      await forward(reading)
      await arrive(reading, 'Other')
      await reach(reading, 567)
      return [returned, await seen(reading), await reading.page.evaluate('history.length')]
    },
  },
  {
    what: 'goes to a place on the page, scrolls, follows a link and goes back',
    perform: async reading => {
      await press(reading, 'within')
      await reach(reading, 'far')
      await scroll(reading, 1234)
      await press(reading, 'below')
      await arrive(reading, 'Other')
      await back(reading)
      await arrive(reading, 'First')
      await reach(reading, 1234)
      return reading.page.evaluate('history.length')
    },
  },
  {
    what: 'visits three pages, goes back twice and forward',
    perform: async reading => {
      await press(reading, 'base')
      await arrive(reading, 'Base')
      await press(reading, 'path')
      await arrive(reading, 'Other')
      const visited = []
      for (const [go, heading] of [
        [back, 'Base'],
        [back, 'First'],
        [forward, 'Base'],
      ] as const) {
        await go(reading)
        await arrive(reading, heading)
        visited.push(await seen(reading))
      }
      return [visited, await reading.page.evaluate('history.length')]
    },
  },
  {
    what: 'types a fragment, and reloads',
    perform: async reading => {
      await settle(reading)
      await reading.page.goto(`${reading.root}/first#far`)
      await reach(reading, 'far')
      await reading.page.reload()
      await arrive(reading, 'First')
      await reach(reading, 'far')
      return [await seen(reading), await reading.page.evaluate('history.length')]
    },
  },
  {
    what: 'scrolls and reloads',
    // Scripted pages without `/_page.js` cannot report their scroll positions. Chromium does not keep the positions of
    // static pages, because these pages have no origin.
    kinds: ['reporting'],
    perform: async reading => {
      await scroll(reading, 1234)
      await reading.page.reload()
      await arrive(reading, 'First')
      await reach(reading, 1234)
      return seen(reading)
    },
  },
])
