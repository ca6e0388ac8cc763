/** Set-up shared by the tests of the dashboard's list of keys. */
import type { Page } from 'playwright-core'
import type { TestSpace } from '../../support/test-service.ts'
import type { Dashboard, DashboardWindow } from './dashboard.ts'

/** Creates a space without keys. */
export const createSpaceWithoutKeys = async ({
  service,
}: Dashboard): Promise<Pick<TestSpace, 'owner' | 'subdomain'>> => {
  const owner = await service.signUp()
  const subdomain = `bare-${owner.handle}`
  await owner.spaces.create({ subdomain, name: 'The Garden Club' })
  return { owner, subdomain }
}

/** Opens the list of keys as the owner of the space. */
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

/** Returns the text of a snippet. */
export const textOf = (page: Page, region: string): Promise<string> =>
  page.getByRole('region', { name: region, exact: true }).innerText()
