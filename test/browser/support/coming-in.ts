/** The views at the door of the screen: where one signs up, signs in, or joins. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
export const alert = (page: Page) => page.getByRole('alert')

export const fillIn = async (page: Page, fields: Record<string, string>) => {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}

/** The recovery codes that the view shows. */
export const codesOn = (page: Page) =>
  page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()

/** Waits until the address is that path below the screen, without a fragment. */
export const expectAt = async (page: Page, path: string) => {
  await page.waitForURL(url => url.pathname === `/admin${path}`)
  expect(new URL(page.url()).hash).toBe('')
}

/** Waits until that is to be seen. */
export const expectShown = async (what: Locator) => {
  await what.waitFor()
  expect(await what.isVisible()).toBe(true)
}
