import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

describe('a space', () => {
  test('is exported and imported into another one, after a preview of the changes', async () => {
    const { service } = dashboard
    const from = await service.createSpace()
    await from.api.post('/pages', { slug: 'home', html: 'Hello' })
    const to = await service.createSpace(undefined, from.owner)
    await to.api.post('/pages', { slug: 'old', html: 'x' })
    const { page, open } = await dashboard.as(from.owner)

    await open(`/spaces/${from.subdomain}/settings`)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export space' }).click()
    const archive = await readFile(await (await download).path())

    await open(`/spaces/${to.subdomain}/settings`)
    await expectAccessible(page, 'settings-transfer')
    const file = { name: 'garden.zip', mimeType: 'application/zip', buffer: archive }
    await page.getByLabel('Archive to import').setInputFiles(file)
    const dialog = page.getByRole('dialog', { name: 'Import garden.zip' })
    await dialog.getByText('page home').waitFor()
    expect(await dialog.getByText('Deleted').count()).toBe(0)
    await dialog.getByLabel('Also delete items that are not in the archive').check()
    await dialog.getByText('page old').waitFor()
    await expectAccessible(page, 'settings-import')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await page.getByText('Archive imported.').waitFor()
    const { data } = await to.owner.pages.list({ subdomain: to.subdomain })
    expect(data.map(({ slug }) => slug)).toEqual(['home'])
  })

  test('is not imported from a file that is not an archive', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}/settings`)
    const file = { name: 'notes.zip', mimeType: 'application/zip', buffer: Buffer.from('notes') }
    await page.getByLabel('Archive to import').setInputFiles(file)
    const dialog = page.getByRole('dialog', { name: 'Import notes.zip' })
    await dialog.getByRole('alert').getByText('Cannot be read as a zip archive').waitFor()
    await expectAccessible(page, 'settings-import-refused')
    expect(await dialog.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true)
  })
})
