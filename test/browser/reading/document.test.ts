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
  scrollByKey,
  seen,
  useReaders,
} from '../support/reading.ts'

const readers = useReaders()

compareWithPlainFiles(readers, [
  {
    what: 'presses Page Down',
    perform: async reading => {
      await scrollByKey(reading, 'PageDown', 300)
      return seen(reading)
    },
  },
])

describe('a page that reports to its window', () => {
  it('has its address and title in the window, and keeps its state across Back', async () => {
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
    await open('reporting')
    // The page reports its height with a delay.
    await expect.poll(sheets).toBe(expected)
    await open('scripted')
    expect(await sheets()).toBe(1)
  })
})
