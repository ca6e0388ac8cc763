import { expect, test } from 'vitest'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { createSpaceWithoutKeys, openKeys, textOf } from '../support/keys.ts'

const dashboard = useDashboard()

test('the keys of a space have a link to the line that copies the space into a folder', async () => {
  const space = await createSpaceWithoutKeys(dashboard)
  const { page } = await openKeys(dashboard, space)
  // Until the list has loaded, the link is in another place.
  await page.getByText('With a key, scripts can use').waitFor()
  const link = page.getByRole('link', { name: 'Work from your computer' })
  await link.click()
  await page.getByRole('dialog', { name: 'Work from your computer' }).waitFor()
  const line = await textOf(page, 'Run this in a terminal')
  expect(line).toMatch(
    new RegExp(`^npx --yes http\\S+/space-site\\.tgz clone http\\S+/admin/spaces/${space.subdomain}$`),
  )
  await expectAccessible(page, 'work-from-computer')
  await page.keyboard.press('Escape')
  await expectFocus(page, 'Work from your computer')
  expect(new URL(page.url()).search).toBe('')
})
