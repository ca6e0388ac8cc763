import { expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

test('a view that is not loaded yet says that you are offline, and loads after reconnecting', async () => {
  const { owner } = await dashboard.service.createSpace()
  const { context, page, open } = await dashboard.as(owner)
  await open('/')
  await page.getByRole('heading', { name: 'Spaces', level: 1 }).waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Posts' }).click()
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  await expectAccessible(page, 'offline')
  await context.setOffline(false)
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Posts')
})
