import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

const EVENTS = [
  { title: 'Open day', places: 12, public: true, tags: ['garden'] },
  { title: 'Sowing', places: 8, public: false, tags: [] },
]

/** Opens a record with this value as a table. */
const withTable = async (value: unknown) => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.data.put({ subdomain, key: 'events', value })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/data/events`)
  // The code editor, which is hidden, can undo only what is changed after it has loaded, and show a cell only then.
  await page.locator('.cm-content').waitFor({ state: 'attached' })
  await showAs(page, 'Table')
  /** Writes the record as another person would, and waits until the window has read that version. */
  const theyWrite = async (theirs: unknown) => {
    const read = page.waitForResponse(async response =>
      (await response.text().catch(() => '')).includes(JSON.stringify(theirs)),
    )
    await owner.data.put({ subdomain, key: 'events', value: theirs })
    await read
  }
  return { page, theyWrite, stored: async () => (await owner.data.get({ subdomain, key: 'events' })).value }
}
const showAs = (page: Page, shape: 'Table' | 'JSON') =>
  page
    .getByRole('radiogroup', { name: /^Edit the value/ })
    .getByText(shape, { exact: true })
    .click()
const cell = (page: Page, column: string, row: number) =>
  page.getByRole('table', { name: 'Value' }).getByLabel(`${column}, row ${row}`, { exact: true })
const expectFocused = async (page: Page, column: string, row: number) => {
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.ariaLabel'))
    .toBe(`${column}, row ${row}`)
}
const menu = async (page: Page, of: string, item: string) => {
  await page.getByRole('button', { name: of, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const save = async (page: Page, version: number) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, `Saved as version ${version}`)
}
/** Pastes text into the focused cell, as from a spreadsheet. */
const paste = (page: Page, text: string) =>
  page.evaluate(
    `{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ${JSON.stringify(text)})
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement.dispatchEvent(event)
    }`,
  )

test('a list of objects is edited with the keyboard, keeps its types, and is saved', async () => {
  const { page, stored } = await withTable(EVENTS)
  await cell(page, 'title', 1).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('2026')
  await page.keyboard.press('Tab')
  await expectFocused(page, 'places', 1)
  await page.keyboard.type('20')
  await page.keyboard.press('Enter')
  await expectFocused(page, 'places', 2)
  await page.keyboard.press('ArrowRight')
  await expectFocused(page, 'public', 2)
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await expectFocused(page, 'public', 1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expectFocused(page, 'title', 2)
  await page.keyboard.type('Harvest')
  // The shortcut saves the cell that is still being typed in.
  await page.keyboard.press('Control+s')
  await expectNotice(page, 'Saved as version 2')
  await expect.poll(stored).toEqual([
    { title: '2026', places: 20, public: true, tags: ['garden'] },
    { title: 'Harvest', places: 8, public: true, tags: [] },
  ])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Add row')
})

test('text typed into a cell survives a reload, even if the cell still had the focus', async () => {
  const { page } = await withTable(EVENTS)
  await cell(page, 'title', 1).click()
  await page.keyboard.press('End')
  await page.keyboard.type(' and night')
  await expect
    .poll(() => page.evaluate<string>('Object.values(localStorage).join()'))
    .toContain('Open day and night')
  await page.reload()
  await page.getByText('Restored your unsaved changes').waitFor()
  await showAs(page, 'Table')
  await expect.poll(() => cell(page, 'title', 1).inputValue()).toBe('Open day and night')
})

test('rows and columns are added, moved, renamed, sorted and deleted, and each step can be undone', async () => {
  const { page, stored } = await withTable([{ n: 10 }, { n: 9 }, { n: null }])
  await menu(page, 'n', 'Sort rows ascending')
  await menu(page, 'Row 3', 'Move up')
  await page.getByRole('button', { name: 'Add column' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('n')
  await page.keyboard.press('Enter')
  await page.getByText('There is already a column with this name.').waitFor()
  await expectAccessible(page, 'record-table-column')
  await page.getByRole('textbox', { name: 'Name' }).fill('label')
  await page.keyboard.press('Enter')
  await expectFocused(page, 'label', 1)
  await page.keyboard.type('7')
  await page.getByRole('combobox', { name: 'Type of the selected cell' }).selectOption('Text')
  await menu(page, 'n', 'Rename column')
  await page.getByRole('textbox', { name: 'Name' }).fill('count')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'count', exact: true }).waitFor()
  await menu(page, 'Row 2', 'Delete row')
  await save(page, 2)
  await expect.poll(stored).toEqual([
    { count: 9, label: '7' },
    { count: 10, label: null },
  ])
  for (let steps = 0; steps < 7; steps += 1) await page.getByRole('button', { name: 'Undo' }).click()
  await save(page, 3)
  await expect.poll(stored).toEqual([{ n: 10 }, { n: 9 }, { n: null }])
})

test('cells copied from a spreadsheet fill the table from the selected cell, and add rows', async () => {
  const { page, stored } = await withTable(EVENTS)
  await cell(page, 'title', 2).click()
  await paste(page, 'Harvest\t7\tTRUE\r\n"Two\nlines"\t\tFALSE\r\n')
  await cell(page, 'title', 3).waitFor()
  await save(page, 2)
  await expect
    .poll(stored)
    .toEqual([
      EVENTS[0],
      { title: 'Harvest', places: 7, public: true, tags: [] },
      { title: 'Two\nlines', places: null, public: false, tags: null },
    ])
  await cell(page, 'title', 2).click()
  await paste(page, `${'x'.repeat(1000)}\t1\n`.repeat(70))
  const problem = page.getByRole('alert').filter({ hasText: 'Nothing was changed' })
  await problem.waitFor()
  await expectAccessible(page, 'record-table-too-large')
  await page.getByText('3 rows', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
})

test('a CSV file is imported into a new table, and a second file replaces the rows of the first', async () => {
  const { page, stored } = await withTable({})
  await page.getByText('Only a list of objects can be edited as a table.').waitFor()
  await expectAccessible(page, 'record-table-none')
  await page.getByRole('button', { name: 'Start an empty table' }).click()
  await page.getByText('No rows yet').waitFor()
  const file = page.getByLabel('CSV file')
  const csv = (text: string, name = 'events.csv') => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  })
  await file.setInputFiles(csv('title;zip;places\n"Open; day";01067;12\nSowing;20095;\n'))
  await expectNotice(page, '2 rows imported')
  await save(page, 2)
  await expect.poll(stored).toEqual([
    { title: 'Open; day', zip: '01067', places: 12 },
    { title: 'Sowing', zip: '20095', places: null },
  ])
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Replace all rows' }).click()
  await (await chooser).setFiles(csv('name\nGrüße\n'))
  await expectNotice(page, '1 row imported')
  await save(page, 3)
  await expect.poll(stored).toEqual([{ name: 'Grüße' }])
  await file.setInputFiles(csv('name\n', 'empty.csv'))
  await page.getByText('empty.csv has no rows below its header.').waitFor()
})

test('a value with a syntax error is not shown as a table, and its text is kept', async () => {
  const { page } = await withTable(EVENTS)
  await cell(page, 'title', 1).waitFor()
  await expectAccessible(page, 'record-table')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: /^tags, row 1: / }).click()
  await page.keyboard.type('!')
  await page.getByRole('textbox', { name: 'Value' }).getByText('![').waitFor()
  await showAs(page, 'Table')
  await page.getByText('The value is not valid JSON. Fix it to edit it as a table.').waitFor()
  await expectAccessible(page, 'record-table-broken')
  await page.getByRole('button', { name: 'Edit as JSON' }).click()
  await page.getByRole('textbox', { name: 'Value' }).getByText('![').waitFor()
  await write(page, '[{"title": "Fixed"}]')
  await showAs(page, 'Table')
  await expect.poll(() => cell(page, 'title', 1).inputValue()).toBe('Fixed')
})

test('a long list is drawn 100 rows at a time, and can be filtered', async () => {
  const { page, stored } = await withTable(Array.from({ length: 5000 }, (_, at) => ({ n: at })))
  const rows = page.getByRole('table', { name: 'Value' }).getByRole('row')
  await page.getByText('1–100 of 5,000 rows').waitFor()
  expect(await rows.count()).toBe(101)
  await cell(page, 'n', 100).click()
  await page.keyboard.press('Enter')
  await expectFocused(page, 'n', 101)
  await page.getByText('101–200 of 5,000 rows').waitFor()
  await page.getByRole('searchbox', { name: 'Filter rows' }).fill('4999')
  await page.getByText('1 row (5,000 in all)').waitFor()
  await cell(page, 'n', 5000).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('-1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'Saved as version 2')
  await expect.poll(async () => ((await stored()) as unknown[]).slice(-2)).toEqual([{ n: 4998 }, { n: -1 }])
})

describe('while someone else inserts a row above', () => {
  const THEIRS = [{ title: 'New', places: 1, public: true, tags: [] }, ...EVENTS]

  test('text goes into the row in which it is typed', async () => {
    const { page, theyWrite } = await withTable(EVENTS)
    await cell(page, 'title', 2).click()
    await theyWrite(THEIRS)
    await page.keyboard.press('End')
    await page.keyboard.type(' and more')
    await page.getByText(/^Version 2 was saved by/).waitFor()
    expect(await cell(page, 'title', 2).inputValue()).toBe('Sowing and more')
  })

  test('a menu that is open deletes the row for which it was opened', async () => {
    const { page, theyWrite } = await withTable(EVENTS)
    await page.getByRole('button', { name: 'Row 2', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete row' }).waitFor()
    await theyWrite(THEIRS)
    await page.getByRole('menuitem', { name: 'Delete row' }).click()
    await page.getByText(/^Version 2 was saved by/).waitFor()
    await page.getByText('1 row', { exact: true }).waitFor()
    expect(await cell(page, 'title', 1).inputValue()).toBe('Open day')
  })

  test('the row appears once the focus has left the table', async () => {
    const { page, theyWrite } = await withTable(EVENTS)
    await cell(page, 'title', 2).click()
    await theyWrite(THEIRS)
    await page.getByLabel('Description').click()
    await expect.poll(() => cell(page, 'title', 3).inputValue()).toBe('Sowing')
  })
})

test('text that is being typed when a save is refused is in the comparison with the other version', async () => {
  const { page, theyWrite } = await withTable(EVENTS)
  await cell(page, 'title', 1).click()
  await page.keyboard.type('A')
  await page.getByText('Unsaved changes').waitFor()
  await theyWrite([{ title: 'Theirs' }])
  // Cells would write what is typed after 300 ms.
  await page.evaluate(`{
    const start = setTimeout
    window.setTimeout = (work, delay, ...given) => start(work, delay === 300 ? 600_000 : delay, ...given)
  }`)
  let answer = () => {}
  const mayAnswer = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route(/\/trpc\/data\.put/, async route => {
    await mayAnswer
    await route.continue()
  })
  const sent = page.waitForRequest(/\/trpc\/data\.put/)
  await page.keyboard.press('Control+s')
  await sent
  await page.keyboard.type('B')
  answer()
  await page.getByRole('button', { name: 'Save as version 3' }).waitFor()
  await expect.poll(() => page.locator('.cm-content').innerText()).toContain('AB')
})
