import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testPng } from '../../support/png.ts'
import { holdLocks, lockSpace } from '../../support/transactions.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice, keepUndoOffered } from '../support/notices.ts'

const dashboard = useDashboard()

const downloadArchive = async (page: Page): Promise<Buffer> => {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export space' }).click()
  return readFile(await (await download).path())
}

/** Chooses an archive in the settings. Returns the dialog that shows what its import would change. */
const chooseArchive = async (page: Page, buffer: Buffer): Promise<Locator> => {
  const file = { name: 'garden.zip', mimeType: 'application/zip', buffer }
  await page.getByLabel('Archive to import').setInputFiles(file)
  return page.getByRole('dialog', { name: 'Import garden.zip' })
}

describe('a space', () => {
  test('shows that its export is in progress, and the export can be cancelled and started again', async () => {
    const space = await dashboard.service.createSpace()
    await space.api.post('/pages', { slug: 'home', html: 'Hello' })
    const { page, open } = await dashboard.as(space.owner)
    await open(`/spaces/${space.subdomain}/settings`)
    const held = Promise.withResolvers<void>()
    await page.route('**/transfer/*', async route => {
      await held.promise
      await route.continue().catch(() => {})
    })
    const start = page.getByRole('button', { name: 'Export space' })
    await start.click()
    await page.getByText('Creating the archive…').waitFor()
    await expectAccessible(page, 'settings-export')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByText('Creating the archive').count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    held.resolve()
    await downloadArchive(page)
    await page.getByText(`Saved as ${space.subdomain}-`).waitFor()
  })

  test('says why its export was refused', async () => {
    const space = await dashboard.service.createSpace()
    const { page } = await dashboard.inSpace(space, '/settings', { isLive: false })
    await page.getByRole('heading', { name: 'Export and import' }).waitFor()
    await space.owner.spaces.delete({ subdomain: space.subdomain, confirm: space.subdomain })
    await page.getByRole('button', { name: 'Export space' }).click()
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts())
      .toContainEqual(expect.stringContaining('No such space'))
  })

  test('is exported and imported into another one, after a preview of the changes', async () => {
    const { service } = dashboard
    const from = await service.createSpace()
    await from.api.post('/pages', { slug: 'home', html: 'Hello' })
    const to = await service.createSpace(undefined, from.owner)
    await to.api.post('/pages', { slug: 'old', html: 'x' })
    const { page, open } = await dashboard.as(from.owner)

    await open(`/spaces/${from.subdomain}/settings`)
    const archive = await downloadArchive(page)

    await open(`/spaces/${to.subdomain}/settings`)
    await expectAccessible(page, 'settings-transfer')
    const dialog = await chooseArchive(page, archive)
    await dialog.getByText('page home').waitFor()
    await expect.poll(() => dialog.getByText('Deleted').count()).toBe(0)
    await dialog.getByLabel('Also delete items that are not in the archive').check()
    await dialog.getByText('page old').waitFor()
    await expectAccessible(page, 'settings-import')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await expectNotice(page, 'Archive imported.')
    const { data } = await to.owner.pages.list({ subdomain: to.subdomain })
    expect(data.map(({ slug }) => slug)).toEqual(['home'])
  })

  test('gets its earlier content back when an import is undone', async () => {
    const { service } = dashboard
    const from = await service.createSpace()
    await from.api.post('/pages', { slug: 'home', html: 'imported' })
    await from.api.put('/data/greeting', { value: 'imported' })
    const png = await testPng({ width: 256, height: 256 })
    await from.owner.spaces.setIcon({ subdomain: from.subdomain, png })
    const to = await service.createSpace(undefined, from.owner)
    const { subdomain, owner } = to
    await to.api.post('/pages', { slug: 'home', html: 'before' })
    await to.api.post('/pages', { slug: 'old', html: 'before' })
    const contents = async () => {
      const pages = await owner.pages.list({ subdomain })
      const bodies = await Promise.all(
        pages.data.map(async ({ id, slug }) => [
          id,
          slug,
          (await owner.pages.get({ subdomain, page_id: id })).html,
        ]),
      )
      const { name, icon_url } = await owner.space.get({ subdomain })
      const records = (await owner.data.list({ subdomain })).data.map(({ key }) => key)
      return { bodies, records, name, hasIcon: icon_url !== null }
    }
    const before = await contents()
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${from.subdomain}/settings`)
    const archive = await downloadArchive(page)

    await open(`/spaces/${subdomain}/settings`)
    const dialog = await chooseArchive(page, archive)
    await dialog.getByLabel('Also delete items that are not in the archive').check()
    await dialog.getByText('page old').waitFor()
    for (const change of ['space icon', 'space name']) await dialog.getByText(change).waitFor()
    await keepUndoOffered(page)
    await dialog.getByRole('button', { name: 'Import' }).click()
    await page.getByText('Archive imported.').waitFor()
    await expect.poll(() => page.getByLabel('Space name').inputValue()).toBe(`The ${from.subdomain}`)
    expect(await contents()).not.toEqual(before)

    await page.getByRole('link', { name: 'history', exact: true }).click()
    await page.getByRole('list', { name: 'Changes' }).getByRole('link').first().click()
    await page.getByRole('button', { name: 'Undo the whole import' }).click()
    const undo = page.getByRole('dialog', { name: 'Undo everything that this operation changed' })
    await undo.getByText('greeting').waitFor()
    await expectAccessible(page, 'history-undo-import')
    await undo.getByRole('button', { name: 'Undo 5 items' }).click()
    await page.getByText('5 items restored').waitFor()
    expect(await contents()).toEqual(before)
  })

  test('shows the import dialog until the import has finished', async () => {
    const { service } = dashboard
    const from = await service.createSpace()
    await from.api.post('/pages', { slug: 'home', html: 'imported' })
    const { subdomain } = await service.createSpace(undefined, from.owner)
    const { page, open } = await dashboard.as(from.owner)
    await open(`/spaces/${from.subdomain}/settings`)
    const archive = await downloadArchive(page)
    await open(`/spaces/${subdomain}/settings`)
    const dialog = await chooseArchive(page, archive)
    await dialog.getByText('page home').waitFor()
    const released = Promise.withResolvers<void>()
    await page.route('**/transfer/*plan=*', async route => {
      await released.promise
      await route.fallback()
    })
    await dialog.getByRole('button', { name: 'Import' }).click()
    await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.isVisible()).toBe(true)
    released.resolve()
    await expectNotice(page, 'Archive imported.')
    await dialog.waitFor({ state: 'detached' })
  })

  test('shows the progress of the upload, and then that the archive is being processed', async () => {
    const { owner, subdomain, api } = await dashboard.service.createSpace()
    await api.post('/pages', { slug: 'home', html: 'Hello' })
    const { page } = await dashboard.inSpace({ owner, subdomain }, '/settings')
    const archive = await downloadArchive(page)
    await api.post('/pages', { slug: 'new', html: 'x' })
    const uploading = Promise.withResolvers<void>()
    await page.route('**/transfer/*', async route => {
      await uploading.promise
      await route.continue()
    })
    const dialog = await chooseArchive(page, archive)
    await dialog.getByRole('progressbar', { name: 'Uploading the archive' }).waitFor({ state: 'attached' })
    await expectAccessible(page, 'settings-import-upload')
    uploading.resolve()
    await page.unrouteAll({ behavior: 'wait' })
    await dialog.getByLabel('Also delete items that are not in the archive').check()
    await dialog.getByText('page new').waitFor()
    const held = await holdLocks(dashboard.service, db => lockSpace(db, subdomain))
    await dialog.getByRole('button', { name: 'Import' }).click()
    const working = dialog.getByRole('progressbar', { name: 'Processing the archive' })
    await working.waitFor()
    expect(await working.getAttribute('aria-valuenow')).toBe('100')
    await held.commit()
    await expectNotice(page, 'Archive imported.')
  })

  test('shows an error for an import from a file that is not an archive', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}/settings`)
    const file = { name: 'notes.zip', mimeType: 'application/zip', buffer: Buffer.from('notes') }
    await page.getByLabel('Archive to import').setInputFiles(file)
    const dialog = page.getByRole('dialog', { name: 'Import notes.zip' })
    await dialog.getByRole('alert').getByText('is not a zip archive').waitFor()
    await expectAccessible(page, 'settings-import-refused')
    await expect.poll(() => dialog.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true)
  })
})
