import { describe, expect, test } from 'vitest'
import { type Appearance, expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

const EVENTS = [
  { title: 'Open day', places: 12 },
  { title: 'Sowing', places: 8 },
  { name: 'Harvest', places: 'many' },
]

/** Creates a space with three records, one of which has warnings, and a window in which its owner is signed in. */
const withRecords = async (appearance?: Appearance) => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.data.put({ subdomain, key: 'events', value: EVENTS, description: 'What is on this month' })
  await owner.data.put({ subdomain, key: 'weekly-todo', value: { text: 'Water the beds', done: false } })
  await owner.data.put({ subdomain, key: 'motto', value: 'Grow' })
  const window = await dashboard.as(owner, appearance)
  return { ...window, owner, subdomain, path: `/spaces/${subdomain}/data` }
}

describe('the list of records', () => {
  test('invites you to create the first record', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}/data`)
    await page.getByRole('heading', { name: 'Create your first record' }).waitFor()
    await expectAccessible(page, 'data-empty')
  })

  test('shows descriptions, usage and warnings, and can be searched', async () => {
    const { page, open, path } = await withRecords()
    await open(path)
    // Below the records, a search also lists the places in the texts that it has found, once it has found them.
    const rows = page.getByRole('list', { name: 'Records' }).getByRole('listitem')
    const row = rows.filter({ hasText: 'events' })
    await row.getByText('3 warnings').waitFor()
    await row.getByText('What is on this month').waitFor()
    await page.getByText('3 of 100').waitFor()
    await expectAccessible(page, 'data-list')
    await page.getByRole('searchbox', { name: 'Search records' }).fill('month')
    await page.getByRole('link', { name: 'motto' }).waitFor({ state: 'detached' })
    await page.reload()
    await row.waitFor()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('searchbox', { name: 'Search records' }).fill('nothing')
    await page.getByText('No record matches “nothing”.').waitFor()
    await expectAccessible(page, 'data-nothing-found')
  })

  test('shows an error if it cannot be loaded, and loads on a retry', async () => {
    const { page, open, path } = await withRecords({ isLive: false })
    const connection = dashboard.service.core.database.orm.em.getConnection()
    await connection.execute('alter table data_records rename to hidden')
    try {
      await open(path)
      await page.getByRole('heading', { name: 'Something broke on our side' }).waitFor()
      await page.getByText('Reference').waitFor()
    } finally {
      await connection.execute('alter table hidden rename to data_records')
    }
    await page.getByRole('button', { name: 'Try again' }).click()
    const records = page.getByRole('list', { name: 'Records' }).getByRole('listitem')
    await expect.poll(() => records.count()).toBe(3)
  })
})

describe('a record', () => {
  test('is shown with its value, schema and warnings, and with the Liquid code that uses it in a page', async () => {
    const { page, open, path } = await withRecords()
    await open(`${path}/events?at=/0/title`)
    const editor = page.getByRole('textbox', { name: 'Value' })
    await editor.getByText('"Open day"').waitFor()
    await page.getByText('list of object').first().waitFor()
    await page.getByText('number or text').waitFor()
    await page.getByText('{% for item in data.events %}').waitFor()
    await page.getByText('Version 1, saved').waitFor()
    await expectAccessible(page, 'data-record')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: '/2 lacks "title"' }).click()
    await page.keyboard.type('X')
    await expect.poll(() => page.locator('.cm-activeLine').innerText()).toBe('  X{')
  })

  test('updates the warnings while you type', async () => {
    const { page, open, path } = await withRecords()
    await open(`${path}/motto`)
    await page.getByText('All elements of each list have the same shape.').waitFor()
    await write(page, '[1, 2, "three"]')
    await page.getByRole('button', { name: '/2 is text; most elements are numbers' }).waitFor()
    const size = page.getByText('of 64 KB')
    await expect.poll(() => size.innerText()).toMatch(/^13 bytes/)
  })

  test('shows syntax errors while you type, and cannot be saved until they are fixed', async () => {
    const { page, open, path, owner, subdomain } = await withRecords()
    await open(`${path}/motto`)
    await write(page, '{\n  "a": 1,\n}')
    const finding = page.getByRole('button', { name: 'Line 3, column 1: Remove the comma before }' })
    await finding.waitFor()
    await page.locator('.cm-lintRange-error, .cm-lintPoint-error').waitFor()
    await expectAccessible(page, 'data-syntax-error')
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await owner.data.get({ subdomain, key: 'motto' })).version).toBe(1)
    await finding.click()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await finding.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+s')
    await expectNotice(page, 'Saved as version 2')
    await expect
      .poll(() => owner.data.get({ subdomain, key: 'motto' }))
      .toMatchObject({ value: { a: 1 }, version: 2 })
  })

  test.each([
    ['{"a": 1, "a": 2}', 'The key "a" appears more than once; only the last one is kept.', { a: 2 }],
    [
      '[12345678901234567890]',
      '12345678901234567890 will be saved as 12345678901234567000',
      [12345678901234567000],
    ],
    ['{"b": 1, "2": 1, "1": 1}', 'Keys that are whole numbers will move to the front', { b: 1, 1: 1, 2: 1 }],
  ])('is saved with a warning if saving changes its text: %s', async (text, message, value) => {
    const { page, open, path, owner, subdomain } = await withRecords()
    await open(`${path}/motto`)
    await write(page, text)
    await page.getByRole('button', { name: message }).waitFor()
    await page.getByRole('button', { name: 'Format' }).click()
    await page.getByRole('button', { name: message }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expectNotice(page, 'Saved as version 2')
    await expect.poll(async () => (await owner.data.get({ subdomain, key: 'motto' })).value).toEqual(value)
  })

  test('is not saved if it has a number that is too large for a double', async () => {
    const { page, open, path, owner, subdomain } = await withRecords()
    await open(`${path}/motto`)
    await write(page, '[1e400]')
    await page.getByRole('button', { name: '1e400 is too large for a number' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    // Instead of saving, the button leads to the error.
    await page.locator('[aria-label="Value"]:focus').waitFor()
    await expect.poll(async () => (await owner.data.get({ subdomain, key: 'motto' })).version).toBe(1)
  })

  test('keeps a member called `__proto__`', async () => {
    const { page, open, path, owner, subdomain } = await withRecords()
    await open(`${path}/motto`)
    await write(page, '{"__proto__": {"a": 1}, "b": 2}')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectNotice(page, 'Saved as version 2')
    const kept = '{"__proto__":{"a":1},"b":2}'
    expect(JSON.stringify((await owner.data.get({ subdomain, key: 'motto' })).value)).toBe(kept)
    await open(`${path}/motto?at=/b`)
    await page.getByRole('textbox', { name: 'Value' }).getByText('"__proto__"').waitFor()
  })

  test('is deleted after a confirmation, and its address then offers to create it again', async () => {
    const { page, open, path, owner, subdomain } = await withRecords()
    await open(`${path}/motto`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page, 'data-delete')
    await page.getByRole('button', { name: 'Delete record' }).click()
    await page.waitForURL(url => url.pathname.endsWith('/data'))
    expect((await owner.records.list({ subdomain })).map(({ key }) => key)).toEqual(['events', 'weekly-todo'])
    await open(`${path}/motto`)
    await page.getByRole('heading', { name: 'No such record' }).waitFor()
    await expectAccessible(page, 'data-gone')
    await page.getByRole('link', { name: 'Create record motto' }).click()
    await expect.poll(() => page.getByLabel('Key', { exact: true }).inputValue()).toBe('motto')
  })
})
