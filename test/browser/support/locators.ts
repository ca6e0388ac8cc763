/** Locators and expectations for the views for signing in, signing up and joining a space. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
export const alert = (page: Page) => page.getByRole('alert')

export const fillIn = async (page: Page, fields: Record<string, string>) => {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}

/** Returns the recovery codes on the page. */
export const recoveryCodes = (page: Page) =>
  page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()

/** Waits for a path below `/admin`, and expects the URL to have no fragment. */
export const expectPath = async (page: Page, path: string) => {
  await page.waitForURL(url => url.pathname === `/admin${path}`)
  expect(new URL(page.url()).hash).toBe('')
}

/** Waits until an element is visible. */
export const expectVisible = async (element: Locator) => {
  await element.waitFor()
  expect(await element.isVisible()).toBe(true)
}
