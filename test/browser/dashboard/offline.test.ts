import { expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'

const dashboard = useDashboard()

test('a view that is not loaded yet says that you are offline, and loads after reconnecting', async () => {
  const { owner } = await dashboard.service.createSpace()
  const { context, page, open } = await dashboard.as(owner)
  await open('/')
  await page.getByRole('heading', { name: 'Spaces', level: 1 }).waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Posts' }).click()
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  await expect.poll(() => page.getByText(/^You are offline/).count()).toBe(1)
  await expectAccessible(page, 'offline')
  await context.setOffline(false)
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Posts')
})

test('a save that failed while offline shows an error until the connection is back', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { id } = await owner.pages.create({ subdomain, slug: 'menu', kind: 'static', html: '<h1>Menu</h1>' })
  const { context, page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/pages/${id}`)
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('Up to date', { exact: true }).waitFor()
  await context.setOffline(true)
  await page.getByText('What you see may be out of date').waitFor()
  await write(page, '<h1>Soup</h1>', 'Page body')
  await page.keyboard.press('Control+s')
  const alert = page.getByRole('alert', { name: 'You are offline' })
  await alert.waitFor()
  await preview.getByText('Not up to date').waitFor()
  // The banner and the preview do not repeat the message.
  await expect.poll(() => page.getByText(/^You are offline/).count()).toBe(1)
  await expectAccessible(page, 'page-offline')
  await context.setOffline(false)
  await alert.waitFor({ state: 'detached' })
})
