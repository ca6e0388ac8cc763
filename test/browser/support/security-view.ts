/** Locators for the elements of the security view. */
import type { Locator, Page } from 'playwright-core'
import type { Person } from '../../support/test-service.ts'
import type { Dashboard, DashboardWindow } from './dashboard.ts'

export const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true })
export const section = (page: Page, name: string) => page.getByRole('region', { name })
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
export const rows = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('listitem')

/** Opens the security view of a person. */
export const openSecurityView = async (dashboard: Dashboard, person: Person): Promise<DashboardWindow> => {
  const window = await dashboard.as(person)
  await window.open('/account/security')
  await rows(window.page, 'Sessions').first().waitFor()
  return window
}
