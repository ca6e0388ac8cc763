/** Compares published pages with plain files: titles, scrolling, printing and other actions on a single document. */
import { describe, expect, it } from 'vitest'
import {
  address,
  arrive,
  back,
  compareWithPlainFiles,
  contentOf,
  evaluated,
  type Kind,
  type Reading,
  scrollByKey,
  scrollByWheel,
  seen,
  selectAll,
  useReaders,
} from '../support/reading.ts'

const readers = useReaders()

/** An expression for the metadata that browsers, search engines and link previews read from a window's document. */
const METADATA = `[document.documentElement.lang, document.title, ...[
  'meta[name=description]', 'meta[name=theme-color]', 'meta[property="og:title"]', 'meta[property="og:image"]',
  'link[rel=icon]', 'link[rel=canonical]', 'link[rel=alternate]',
].map(selector => {
  const { content, href, title } = document.head.querySelector(selector)
  return [content, href, title]
})]`

compareWithPlainFiles(readers, [
  ...[
    ['PageDown', 300],
    ['Space', 300],
    ['End', 4000],
  ].map(([key, top]) => ({
    what: `presses ${key}`,
    perform: async (reading: Reading) => {
      await scrollByKey(reading, String(key), Number(top))
      return seen(reading)
    },
  })),
  {
    what: 'turns the wheel of the mouse',
    perform: async reading => {
      await reading.page.mouse.move(400, 300)
      await scrollByWheel(reading, 2500)
      return seen(reading)
    },
  },
  {
    what: 'selects everything',
    perform: async reading => {
      const text = await selectAll(reading)
      // Compare only the beginning and the end. The texts differ in between, because static pages lose the forms that
      // the plain files have.
      return [text.slice(0, 20), text.slice(-20)]
    },
  },
  { what: 'shares the page', perform: ({ page }) => page.evaluate(METADATA) },
])

describe('a scripted page that loads /_page.js', () => {
  it('shows its address and title in the window, and Back returns to its previous view', async () => {
    const { context, page } = await readers.window()
    const reading = { root: readers.roots.reporting, context, page }
    await page.goto(`${reading.root}/first`)
    await arrive(reading, 'First')
    await contentOf(page).evaluate(
      `history.pushState(1, '', '/first?view=2'); document.title = 'Second view'`,
    )
    await address(reading, '/first?view=2')
    await expect.poll(() => page.title()).toBe('Second view')
    await back(reading)
    await address(reading, '/first')
    await expect.poll(() => evaluated(page, 'location.search')).toBe('')
  })

  it('is printed completely', async () => {
    const { page } = await readers.window({ viewport: { width: 800, height: 600 } })
    const open = async (kind: Kind) => {
      await page.goto(`${readers.roots[kind]}/other`)
      await arrive({ page }, 'Other')
    }
    const sheets = async () => (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g)?.length
    await open('plain')
    const expected = await sheets()
    expect(expected).toBeGreaterThan(1)
    await open('static')
    expect(await sheets()).toBe(expected)
    await open('reporting')
    // The page reports its height with a delay.
    await expect.poll(sheets).toBe(expected)
    await open('scripted')
    expect(await sheets()).toBe(1)
  })
})
