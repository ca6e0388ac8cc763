import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { TestSpace } from '../../support/test-service.ts'
import { unpack } from '../../transfer/support/archives.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

/** Creates a space with text files of these names. */
const createFiles = async (...names: string[]) => {
  const space = await dashboard.service.createSpace()
  const { owner, subdomain } = space
  for (const name of names)
    await owner.files.create({ subdomain, name, content: `first ${name}`, encoding: 'text' })
  return space
}

/** Creates a space with text files of these names, and opens its files. */
const withFiles = async (...names: string[]) => {
  const space = await createFiles(...names)
  return { ...space, ...(await dashboard.inSpace(space, '/files')) }
}

const upload = async (page: Page, ...names: string[]) => {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload files' }).click()
  await (await chooser).setFiles(
    names.map(name => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`second ${name}`) })),
  )
}

const contents = async ({ owner, subdomain }: Pick<TestSpace, 'owner' | 'subdomain'>) => {
  const { data } = await owner.files.list({ subdomain })
  const sizes = data.map(({ name, size }) => [name, size] as const)
  return Object.fromEntries(sizes.toSorted(([a], [b]) => a.localeCompare(b)))
}

/** Returns the size of a file that `withFiles` creates. */
const first = (name: string) => `first ${name}`.length
/** Returns the size of a file that `upload` sends. */
const second = (name: string) => `second ${name}`.length

describe('uploading a file whose name is taken', () => {
  test('asks whether to replace it or to keep both', async () => {
    const { page, ...space } = await withFiles('a.txt', 'b.txt')
    await upload(page, 'a.txt', 'b.txt', 'new.txt')
    const dialog = page.getByRole('dialog', { name: 'Replace a.txt?' })
    await dialog.getByText('the new file is named a-2.txt').waitFor()
    await expectAccessible(page, 'files-name-taken')
    await dialog.getByRole('button', { name: 'Replace file' }).click()
    await page
      .getByRole('dialog', { name: 'Replace b.txt?' })
      .getByRole('button', { name: 'Keep both' })
      .click()
    await page.getByText('3 files uploaded').first().waitFor()
    expect(await contents(space)).toEqual({
      'a.txt': second('a.txt'),
      'b-2.txt': second('b.txt'),
      'b.txt': first('b.txt'),
      'new.txt': second('new.txt'),
    })
  })

  test('asks only once if the person applies the answer to all files', async () => {
    const { page, ...space } = await withFiles('a.txt', 'b.txt', 'c.txt')
    await upload(page, 'a.txt', 'b.txt', 'c.txt')
    const dialog = page.getByRole('dialog', { name: 'Replace a.txt?' })
    await dialog.getByLabel('Do the same for 2 more files').check()
    await dialog.getByRole('button', { name: 'Replace file' }).click()
    await page.getByText('3 files uploaded').first().waitFor()
    expect(await contents(space)).toEqual({
      'a.txt': second('a.txt'),
      'b.txt': second('b.txt'),
      'c.txt': second('c.txt'),
    })
  })

  test('can be cancelled', async () => {
    const { page, ...space } = await withFiles('a.txt')
    await upload(page, 'a.txt')
    await page.getByRole('dialog', { name: 'Replace a.txt?' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await contents(space)).toEqual({ 'a.txt': first('a.txt') })
  })
})

describe('several files', () => {
  test('can be selected and deleted together', async () => {
    const { page, ...space } = await withFiles('a.txt', 'b.txt', 'c.txt')
    await page.getByLabel('Select a.txt').check()
    await page.getByLabel('Select c.txt').check()
    await page.getByLabel('2 files selected').waitFor()
    await expectAccessible(page, 'files-selected')
    await page.getByRole('button', { name: 'Delete 2 files' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 files?' })
    await dialog.getByText('c.txt').waitFor()
    await expectAccessible(page, 'files-delete-selected')
    await dialog.getByRole('button', { name: 'Delete 2 files' }).click()
    await expectNotice(page, '2 files deleted')
    expect(await contents(space)).toEqual({ 'b.txt': first('b.txt') })
    // Select what is left, not what the list may still show.
    for (const name of ['a.txt', 'c.txt'])
      await page.getByLabel(`Select ${name}`).waitFor({ state: 'detached' })
    await page.getByLabel('Select all').check()
    await page.getByLabel('1 file selected').waitFor()
  })

  test('can be selected and downloaded as one archive', async () => {
    const { page } = await withFiles('a.txt', 'b.txt', 'c.txt')
    await page.getByLabel('Select a.txt').check()
    await page.getByLabel('Select c.txt').check()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as zip' }).click()
    const files = await unpack(await readFile(await (await download).path()))
    const texts = [...files].map(([name, bytes]) => [name, bytes.toString()])
    expect(Object.fromEntries(texts)).toEqual({ 'a.txt': 'first a.txt', 'c.txt': 'first c.txt' })
    await expectNotice(page, 'Saved as')
    await page.getByLabel('2 files selected').waitFor()
  })

  test('are listed again if the download fails because one of the files was deleted', async () => {
    const space = await createFiles('a.txt', 'b.txt')
    const { owner, subdomain } = space
    const { page } = await dashboard.inSpace(space, '/files', { isLive: false })
    const [, first] = (await owner.files.list({ subdomain })).data
    await page.getByLabel('Select all').check()
    await owner.files.delete({ subdomain, file_id: first!.id })
    await page.getByRole('button', { name: 'Download as zip' }).click()
    await page.getByRole('alert').getByText('No such file').waitFor()
    await page.getByLabel('1 file selected').waitFor()
    await expectAccessible(page, 'files-download-failed')
  })

  test('stay selected if deleting them fails, and the deletion can be tried again', async () => {
    const { page, context, ...space } = await withFiles('a.txt', 'b.txt')
    await page.getByLabel('Select all').check()
    await page.getByRole('button', { name: 'Delete 2 files' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 files?' })
    await context.setOffline(true)
    await dialog.getByRole('button', { name: 'Delete 2 files' }).click()
    await dialog.getByRole('alert').getByText('You are offline').waitFor()
    await context.setOffline(false)
    await dialog.getByRole('button', { name: 'Delete 2 files' }).click()
    await expectNotice(page, '2 files deleted')
    expect(await contents(space)).toEqual({})
  })
})

test('the menu of a file shows where the file is used', async () => {
  const { page, owner, subdomain } = await withFiles('a.txt')
  const [file] = (await owner.files.list({ subdomain })).data
  await owner.pages.create({ subdomain, slug: 'about', html: `<a href="${file!.url}">A</a>` })
  await page.getByRole('button', { name: 'More actions for a.txt' }).click()
  await page.getByRole('menuitem', { name: 'Where it is used' }).click()
  const dialog = page.getByRole('dialog', { name: 'Where a.txt is used' })
  await dialog.getByRole('link', { name: 'about' }).waitFor()
  await expectAccessible(page, 'files-uses')
  await dialog.getByRole('link', { name: 'about' }).click()
  await page.getByRole('heading', { level: 1, name: 'about' }).waitFor()
})
