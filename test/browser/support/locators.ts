/** The views at the door of the dashboard: where one signs up, signs in, or joins. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
export const alert = (page: Page) => page.getByRole('alert')

export const fillIn = async (page: Page, fields: Record<string, string>) => {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}

/** The recovery codes that the view shows. */
export const recoveryCodes = (page: Page) =>
  page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()

/** Waits until the address is that path below the dashboard, without a fragment. */
export const expectPath = async (page: Page, path: string) => {
  await page.waitForURL(url => url.pathname === `/admin${path}`)
  expect(new URL(page.url()).hash).toBe('')
}

/** Waits until that is to be seen. */
export const expectVisible = async (what: Locator) => {
  await what.waitFor()
  expect(await what.isVisible()).toBe(true)
}
