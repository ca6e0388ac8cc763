/** Keys of a space as the tests of the dashboard look at them. */
import type { Page } from 'playwright-core'
import type { TestSpace } from '../../support/world.ts'
import type { Dashboard, DashboardWindow } from './dashboard.ts'

/** A space that nobody has issued a key in yet. */
export const bareSpace = async ({ world }: Dashboard): Promise<Pick<TestSpace, 'owner' | 'subdomain'>> => {
  const owner = await world.person()
  const subdomain = `bare-${owner.handle}`
  await owner.spaces.create({ subdomain, name: 'The Garden Club' })
  return { owner, subdomain }
}

/** Opens the list of keys as the space's owner. */
export const openKeys = async (
  dashboard: Dashboard,
  { owner, subdomain }: Pick<TestSpace, 'owner' | 'subdomain'>,
  search = '',
): Promise<DashboardWindow> => {
  const window = await dashboard.as(owner)
  await window.open(`/spaces/${subdomain}/keys${search}`)
  await window.page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  return window
}

/** The text of a snippet. */
export const textOf = (page: Page, region: string): Promise<string> =>
  page.getByRole('region', { name: region, exact: true }).innerText()
