import { expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { root, useDashboard } from './support/dashboard.ts'

const dashboard = useDashboard()

test.each(['light', 'dark'] as const)(
  'the API reference is accessible in the %s color scheme',
  async scheme => {
    for (const width of [360, 1280] as const) {
      const { page } = await dashboard.anonymous({ width, scheme })
      await page.goto(`${root(dashboard.service)}/docs`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await violationsOf(page), `${width} px`).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
  },
)
