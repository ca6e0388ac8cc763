import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestSpace } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

let space: TestSpace

beforeAll(async () => {
  space = await dashboard.service.createSpace()
  await space.api.post('/files', { name: 'a.txt', content: 'one', encoding: 'text' })
})

/**
 * A view with a dialog, a list with a filter, and a view without anything to show: with wrong parameters, and what
 * it shows instead. `test/dashboard/search-params.test.ts` checks the parameters of all views.
 */
const VIEWS: [view: string, wrong: Record<string, string>, shows: (page: Page) => Promise<unknown>][] = [
  [
    'keys',
    { issue: '1e9', rotate: '["a"]', revoke: '-1', connect: 'false' },
    page => page.getByRole('list', { name: 'Keys' }).getByText('test', { exact: true }).waitFor(),
  ],
  [
    'files',
    { q: '\0', sort: '__proto__', layout: '["grid"]' },
    page => page.getByRole('list', { name: 'Files' }).getByText('a.txt', { exact: true }).waitFor(),
  ],
  [
    'history/compare',
    { from: '1e9' },
    async page => {
      await page.getByRole('heading', { name: 'No versions chosen' }).waitFor()
      await expectAccessible(page, 'history-compare-nothing')
    },
  ],
]

test.each(VIEWS)(
  'the view %s ignores wrong search parameters and removes them from the address',
  async (view, wrong, shows) => {
    const { page } = await dashboard.inSpace(space, `/${view}?${new URLSearchParams(wrong).toString()}`)
    await shows(page)
    expect(await page.getByRole('alert').or(page.getByRole('dialog')).allInnerTexts()).toEqual([])
    const left = () => {
      const { searchParams } = new URL(page.url())
      return Object.entries(wrong).filter(([name, value]) => searchParams.get(name) === value)
    }
    await expect.poll(left).toEqual([])
  },
)
