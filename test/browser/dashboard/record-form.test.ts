import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

const showAs = (page: Page, shape: 'Table' | 'Form' | 'JSON') =>
  page
    .getByRole('radiogroup', { name: /^Edit the value/ })
    .getByText(shape, { exact: true })
    .click()

const expectShown = (page: Page, shape: 'Table' | 'Form' | 'JSON') =>
  page.getByRole('radio', { name: shape, checked: true }).waitFor({ state: 'attached' })

/** Opens a record with this JSON as a form. */
const withForm = async (json: string) => {
  const space = await dashboard.service.createSpace()
  await space.owner.data.put({ subdomain: space.subdomain, key: 'site', value: JSON.parse(json) as unknown })
  const { page } = await dashboard.inSpace(space, '/data/site')
  // The code editor, which is hidden, can undo only what is changed after it has loaded.
  await page.locator('.cm-content').waitFor({ state: 'attached' })
  await showAs(page, 'Form')
  const stored = async () => (await space.owner.data.get({ subdomain: space.subdomain, key: 'site' })).value
  return { page, stored }
}

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'Saved as version 2')
}

test('an object is edited as a form, and its values keep their types', async () => {
  const { page, stored } = await withForm(
    '{"title":"Beans","year":2024,"open":false,"note":null,"tags":["a"],"contact":{"city":"Ghent","code":"09"}}',
  )
  await page.getByLabel('title').fill('More beans')
  await page.getByLabel('year').fill('2026')
  await page.getByLabel('open', { exact: true }).check()
  await page.getByLabel('note').fill('Two\nlines')
  await page.getByRole('group', { name: 'contact' }).getByLabel('code').fill('007')
  await expectAccessible(page, 'record-form')
  await save(page)
  expect(await stored()).toEqual({
    title: 'More beans',
    year: 2026,
    open: true,
    note: 'Two\nlines',
    tags: ['a'],
    contact: { city: 'Ghent', code: '007' },
  })
  await page.getByRole('button', { name: 'Edit tags as JSON' }).click()
  await page.getByRole('textbox', { name: 'Value' }).waitFor()
})

test('the form and the JSON show the same value', async () => {
  const { page, stored } = await withForm('{"title":"Beans","size":1}')
  await page.getByLabel('title').fill('Peas')
  await showAs(page, 'JSON')
  await page.getByRole('textbox', { name: 'Value' }).getByText('"Peas"').waitFor()
  await page.getByRole('textbox', { name: 'Value' }).click()
  await page.keyboard.press('Control+z')
  await showAs(page, 'Form')
  await expect.poll(() => page.getByLabel('title').inputValue()).toBe('Beans')
  await page.getByLabel('size', { exact: true }).fill('3')
  // The shortcut saves what was typed just before.
  await page.keyboard.press('Control+s')
  await expectNotice(page, 'Saved as version 2')
  expect(await stored()).toEqual({ title: 'Beans', size: 3 })
})

test('the items of a list are edited one at a time, and each has a field for every key that any item has', async () => {
  const { page, stored } = await withForm(
    '[{"title":"Open day","places":12},{"title":"Sowing","public":true}]',
  )
  await page.getByLabel('Item (2)').selectOption('2. Sowing')
  await page.getByLabel('places').fill('8')
  await expectAccessible(page, 'record-form-list')
  await page.getByRole('button', { name: 'Add item' }).click()
  await page.getByLabel('Item (3)').waitFor()
  await page.getByLabel('title').fill('Harvest')
  await page.getByLabel('Item (3)').selectOption('1. Open day')
  await page.getByRole('button', { name: 'Delete item' }).click()
  await save(page)
  expect(await stored()).toEqual([
    { title: 'Sowing', places: 8, public: true },
    { title: 'Harvest', places: null, public: false },
  ])
})

test.each([
  ['[1, 2]', 'Only an object or a list of objects can be edited as a form.'],
  ['"text"', 'Only an object or a list of objects can be edited as a form.'],
])('the value %s can be edited only as JSON', async (json, reason) => {
  const { page } = await withForm(json)
  await page.getByRole('status').getByText(reason).waitFor()
  await expectAccessible(page, 'record-form-impossible')
  await page.getByRole('button', { name: 'Edit as JSON' }).click()
  await page.getByRole('textbox', { name: 'Value' }).waitFor()
})

test('an empty list gets a first item, and an empty object says where keys are added', async () => {
  const { page } = await withForm('[]')
  await page.getByText('The list is empty.').waitFor()
  await page.getByRole('button', { name: 'Add item' }).click()
  await page.getByText('The object has no keys yet.').waitFor()
  expect(await page.getByLabel('Item (1)').count()).toBe(1)
})

test('a record opens as a table or form if it is one, or as it was edited the last time', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  const show = async (key: string, value: unknown) => {
    await owner.data.put({ subdomain, key, value })
    await open(`/spaces/${subdomain}/data/${key}`)
  }
  for (const [value, shape] of [
    [{ a: 1 }, 'Form'],
    [[{ a: 1 }], 'Table'],
    [['a'], 'JSON'],
    [{}, 'JSON'],
    [[], 'JSON'],
    [1, 'JSON'],
  ] as const) {
    await show('mixed', value)
    await expectShown(page, shape)
  }
  await show('site', { a: 1 })
  await expectShown(page, 'Form')
  await showAs(page, 'JSON')
  await show('other', { a: 1 })
  await expectShown(page, 'Form')
  await show('site', { a: 2 })
  await expectShown(page, 'JSON')
  await showAs(page, 'Table')
  await show('site', { a: 3 })
  await expectShown(page, 'Form')
  await show('site', [{ a: 4 }])
  await expectShown(page, 'Table')
})
