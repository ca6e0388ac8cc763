/** Finds what an editor with a preview shows. */
import type { FrameLocator, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until the preview shows the draft. */
export const upToDate = (page: Page) =>
  page.getByText('Up to date', { exact: true }).waitFor({ state: 'attached' })

export const code = (page: Page) => page.getByRole('textbox', { name: /body$/ })

/** The bar that says where the selected element is written. */
export const bar = (page: Page) => page.getByRole('region', { name: 'Selected element' })

/** The document of a scripted draft; for a static one, the frame around it. */
export const draft = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])')

/** The document of a static draft. */
export const staticDraft = (page: Page): FrameLocator => draft(page).frameLocator('iframe')

export const outline = (page: Page, kind: string) => page.locator(`[data-kind=${kind}]`)

/** The field in which the text of an element is edited. */
export const field = (page: Page) => page.getByRole('textbox', { name: /^Text of/ })

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
