import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violationsOf } from './axe.ts'

const WIDTHS = [360, 768, 1440]

/** Checks a public page in both color schemes at every width. `SHOTS` names a folder for screenshots. */
export const expectReadable = async (page: Page, name: string) => {
  const { SHOTS } = process.env
  for (const width of WIDTHS)
    for (const colorScheme of ['light', 'dark'] as const) {
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
