import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Waits until an element of a preview is visible. Polls, because each draft gets a new frame: a locator that waits in
 * the old frame fails when that frame is removed.
 */
export const expectShown = async (element: Locator): Promise<void> => {
  await expect
    .poll(() =>
      element
        .first()
        .isVisible()
        .catch(() => false),
    )
    .toBe(true)
}
