import { beforeEach, expect, test } from 'vitest'
import type { TestSpace } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

let space: TestSpace
beforeEach(async () => {
  space = await dashboard.service.createSpace()
})

type Id = { id: string }
type Picture = { naturalWidth: number }

const open = (path: string, appearance?: { width: 360 }) => dashboard.inSpace(space, path, appearance)

const picture = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><path fill="${color}" d="M0 0h40v30H0z"/></svg>`

test('two versions of a page can be chosen and compared, and one restored', async () => {
  const { id } = (await space.api.post<Id>('/pages', { slug: 'about', html: '<p>the first words</p>' })).body
  await space.api.patch(`/pages/${id}`, { html: '<p>the second words</p>' })
  await space.api.patch(`/pages/${id}`, { html: '<p>the third words</p>', slug: 'about-us' })
  const { page, context } = await open(`/history?kind=page&thing=${id}`)
  const boxes = page.getByRole('checkbox', { name: /^Choose the version of/ })
  const chosen = async () => Promise.all((await boxes.all()).map(box => box.isChecked()))
  await expect.poll(chosen).toEqual([true, true, false])
  await page.getByText('Page changed, renamed from about, ').waitFor()
  await boxes.nth(2).check()
  await expect.poll(chosen).toEqual([false, true, true])
  await expectAccessible(page, 'history-versions')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'Compare the two' }).click()
  await page.getByRole('heading', { level: 1, name: 'Compare about' }).waitFor()
  const texts = page.getByRole('region', { name: /^Texts/ })
  await texts.getByText('the first words').waitFor()
  await texts.getByText('the second words').waitFor()
  await expect.poll(() => texts.locator('.cm-changedText').allTextContents()).toEqual(['first', 'second'])
  await expectAccessible(page, 'history-compare')
  await page.getByRole('button', { name: 'Restore the older version' }).click()
  await page.getByText('The restore is itself a change').waitFor()
  await expect
    .poll(async () => (await space.api.get(`/pages/${id}`)).body)
    .toMatchObject({ html: '<p>the first words</p>', slug: 'about' })
  await context.close()
})

test('a version is compared with the current version; a narrow window shows both in one text', async () => {
  const { id } = (await space.api.post<Id>('/pages', { slug: 'about', html: '<p>one</p>' })).body
  await space.api.patch(`/pages/${id}`, { html: '<p>two</p>', slug: 'about-us' })
  const { page, context } = await open(`/history?kind=page&thing=${id}`, { width: 360 })
  await page.getByRole('link', { name: /^Compare with now/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Compare about' }).waitFor()
  const text = page.getByRole('textbox', { name: /^Text: / })
  await text.getByText('two').waitFor()
  await text.locator('.cm-deletedChunk').getByText('one').waitFor()
  expect(await page.locator('.cm-mergeView').count()).toBe(0)
  await page.getByRole('row', { name: 'Slug (different) about about-us' }).waitFor()
  await expectAccessible(page, 'history-compare-now')
  await space.api.delete(`/pages/${id}`)
  await page.reload()
  await page.getByText('This item no longer exists.').waitFor()
  await expectAccessible(page, 'history-compare-deleted')
  await context.close()
})

test('the texts of a file are compared side by side', async () => {
  const { id } = (
    await space.api.post<Id>('/files', { name: 'site.css', content: 'a { color: red }', encoding: 'text' })
  ).body
  await space.api.patch(`/files/${id}`, { content: 'a { color: blue }', encoding: 'text' })
  const { page, context } = await open(`/history?kind=file&thing=${id}`)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'Compare the two' }).click()
  const texts = page.getByRole('region', { name: /^Texts/ })
  await expect.poll(() => texts.locator('.cm-changedText').allTextContents()).toEqual(['red', 'blue'])
  await expectAccessible(page, 'history-compare-files')
  await context.close()
})

test('pictures are compared side by side', async () => {
  const { id } = (
    await space.api.post<Id>('/files', { name: 'dot.svg', content: picture('#a00'), encoding: 'text' })
  ).body
  await space.api.patch(`/files/${id}`, { content: picture('#0a0'), encoding: 'text' })
  const { page, context } = await open(`/history?kind=file&thing=${id}`)
  await page.getByRole('link', { name: 'Compare the two' }).click()
  const pictures = page.getByRole('img', { name: /^Picture: / })
  await expect.poll(() => pictures.count()).toBe(2)
  await expect
    .poll(() =>
      pictures.evaluateAll(images => images.map(image => (image as unknown as Picture).naturalWidth)),
    )
    .toEqual([40, 40])
  await page.getByText('The content is different.').waitFor()
  await expectAccessible(page, 'history-compare-pictures')
  await context.close()
})

test('two versions of a record are compared: the values as formatted JSON, and the descriptions', async () => {
  await space.api.put('/data/list', { value: { list: [1, 2], name: 'one' } })
  await space.api.put('/data/list', { value: { list: [1, 2], name: 'two' }, description: 'A list' })
  const { page, context } = await open('/history?kind=record&thing=list')
  await page.getByRole('link', { name: 'Compare the two' }).click()
  const lines = page.getByRole('region', { name: /^Texts/ }).locator('.cm-line')
  await lines.filter({ hasText: /^ {2}"name": "one"$/ }).waitFor()
  await lines.filter({ hasText: /^ {2}"name": "two"$/ }).waitFor()
  await page.getByRole('row', { name: 'Description (different) – A list' }).waitFor()
  await expectAccessible(page, 'history-compare-record')
  await context.close()
})

test('changes cannot be compared if one does not exist, or if they belong to different items', async () => {
  for (const key of ['one', 'two']) await space.api.put(`/data/${key}`, { value: 1 })
  const { changes } = await space.owner.history.list({ subdomain: space.subdomain })
  const { page, context } = await open('/history/compare?from=999-page-aaaaaaaaaaaaaaaa')
  await page.getByRole('heading', { name: 'No such change' }).waitFor()
  await page.goto(page.url().replace(/\?.*/, `?from=${changes[0]!.id}&to=${changes[1]!.id}`))
  await page.getByText('must be a change to the same item').waitFor()
  await expectAccessible(page, 'history-compare-refused')
  await context.close()
})
