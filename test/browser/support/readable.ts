import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violationsOf } from './axe.ts'

const WIDTHS = [360, 768, 1440]

const SCHEMES = ['light', 'dark'] as const

/**
 * Checks a public page at every width, in turn in one of the color schemes. If `SHOTS` names a folder, checks both at every
 * width, and saves screenshots in the folder.
 */
export const expectReadable = async (page: Page, name: string) => {
  const { SHOTS } = process.env
  await page.waitForLoadState()
  for (const [index, width] of WIDTHS.entries())
    for (const colorScheme of SHOTS ? SCHEMES : [SCHEMES[(index + name.length) % 2]!]) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      if (SHOTS)
        await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true })
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect({ name, width, colorScheme, overflow, violations: await violationsOf(page) }).toEqual({
        name,
        width,
        colorScheme,
        overflow: 0,
        violations: [],
      })
    }
}
