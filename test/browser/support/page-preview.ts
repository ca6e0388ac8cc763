/** Finds what an editor with a preview shows. */
import type { FrameLocator, Page } from 'playwright-core'

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
