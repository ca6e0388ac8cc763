import { describe, expect, test } from 'vitest'
import { type Appearance, expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

const FIRST = { title: 'Open day', places: 12, place: 'Garden' }

/** Opens a record as one person. The returned `theyWrite` changes the record as another person would. */
const twoPeople = async (appearance?: Appearance) => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.data.put({ subdomain, key: 'event', value: FIRST, description: 'One event' })
  const { page, open, context } = await dashboard.as(owner, appearance)
  await open(`/spaces/${subdomain}/data/event?at=/title`)
  const editor = page.getByRole('textbox', { name: 'Value' })
  await editor.getByText('"Garden"').waitFor()
  const read = () => owner.data.get({ subdomain, key: 'event' })
  const theyWrite = (change: { value?: unknown; description?: string }) =>
    owner.data.put({ subdomain, key: 'event', value: FIRST, ...change })
  const conflict = page
    .getByRole('alert')
    .filter({ hasText: 'You changed this record in another window: version' })
  return { page, context, open, owner, subdomain, editor, read, theyWrite, conflict }
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2)
const MINE = { ...FIRST, title: 'Open evening' }
const THEIRS = { ...FIRST, places: 20 }

describe('two people editing the same record', () => {
  test('see the differences, and overwrite the other version only after a confirmation', async () => {
    const { page, read, theyWrite, conflict } = await twoPeople()
    await write(page, pretty(MINE))
    await page.getByText('Unsaved').waitFor()
    await theyWrite({ value: THEIRS })
    await page.keyboard.press('Control+s')
    await conflict.waitFor()
    await expect.poll(() => read()).toMatchObject({ value: THEIRS, version: 2 })
    await page.locator('.cm-deletedChunk').first().waitFor()
    await expectAccessible(page, 'data-conflict')
    await page.getByRole('button', { name: 'Save as version 3' }).click()
    await page.getByText('Version 3, saved').waitFor()
    await expect.poll(() => read()).toMatchObject({ value: MINE, version: 3, description: 'One event' })
    await expect.poll(() => page.getByText('Unsaved').count()).toBe(0)
  })

  test('can accept some changes of the other version and reject the rest', async () => {
    const { page, read, theyWrite, conflict } = await twoPeople()
    const apart = { title: 'Open day', one: 1, two: 2, three: 3, four: 4, five: 5, places: 12 }
    await theyWrite({ value: apart })
    await page.reload()
    await write(page, pretty({ ...apart, title: 'Open evening' }))
    await theyWrite({ value: { ...apart, places: 20 } })
    await page.keyboard.press('Control+s')
    await conflict.waitFor()
    await page.getByRole('button', { name: 'Use theirs', exact: true }).last().click()
    await page.keyboard.press('Control+s')
    await page.getByText('Version 4, saved').waitFor()
    await expect.poll(() => read()).toMatchObject({ value: { ...apart, title: 'Open evening', places: 20 } })
  })

  test('can each use the other person’s version, and then restore their own text', async () => {
    const { page, read, theyWrite, conflict, editor } = await twoPeople()
    await write(page, pretty(MINE))
    await theyWrite({ value: THEIRS })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await conflict.waitFor()
    await page.getByRole('button', { name: 'Use their version' }).click()
    await editor.getByText('20').waitFor()
    await page.getByText('Version 2, saved').waitFor()
    await expect.poll(() => page.getByText('Unsaved').count()).toBe(0)
    await expectAccessible(page, 'data-took-theirs')
    await page.getByRole('button', { name: 'Restore my text' }).click()
    await editor.getByText('Open evening').waitFor()
    await page.getByText('Unsaved').waitFor()
    await expect.poll(() => read()).toMatchObject({ value: THEIRS, version: 2 })
  })

  test('hear of the other version while they type, and compare it when they want', async () => {
    const { page, read, theyWrite, conflict } = await twoPeople()
    await write(page, pretty(MINE))
    await theyWrite({ value: THEIRS })
    await page.getByText(/^Version 2 was saved by/).waitFor()
    expect(await conflict.count()).toBe(0)
    await expectAccessible(page, 'data-newer')
    await page.getByRole('button', { name: 'Compare with yours' }).click()
    await conflict.waitFor()
    await theyWrite({ value: { ...FIRST, place: 'Hall' } })
    await page.getByRole('button', { name: 'Save as version 3' }).click()
    await page.getByRole('button', { name: 'Save as version 4' }).waitFor()
    await expect.poll(() => read()).toMatchObject({ value: { ...FIRST, place: 'Hall' }, version: 3 })
  })

  test('see the new differences if a third version is saved in the meantime', async () => {
    const { page, read, theyWrite, conflict } = await twoPeople()
    await write(page, pretty(MINE))
    await theyWrite({ value: THEIRS })
    await page.keyboard.press('Control+s')
    await conflict.waitFor()
    await theyWrite({ value: { ...FIRST, place: 'Hall' } })
    await page.getByRole('button', { name: 'Save as version 3' }).click()
    await page.getByRole('button', { name: 'Save as version 4' }).waitFor()
    await expect.poll(() => read()).toMatchObject({ value: { ...FIRST, place: 'Hall' }, version: 3 })
    await page.getByRole('button', { name: 'Save as version 4' }).click()
    await page.getByText('Version 4, saved').waitFor()
    await expect.poll(() => read()).toMatchObject({ value: MINE, version: 4 })
  })

  test('keep both changes if one person changes the value and the other the description', async () => {
    // A window that follows the changes can have the new version before the first save.
    const { page, read, theyWrite, editor } = await twoPeople({ isLive: false })
    await page.getByLabel('Description').fill('The event of the year')
    await theyWrite({ value: THEIRS })
    await page.getByRole('button', { name: 'Save' }).click()
    await expectNotice(page, 'Your description is not saved yet')
    await editor.getByText('20').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Version 3, saved').waitFor()
    await expect.poll(() => read()).toMatchObject({ value: THEIRS, description: 'The event of the year' })
  })

  test('see a newer version automatically while they have no unsaved changes', async () => {
    const { page, theyWrite, editor } = await twoPeople()
    await theyWrite({ value: THEIRS })
    // The dashboard fetches stale data again when the person returns to the tab.
    await expect
      .poll(
        async () => {
          await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
          return editor.innerText()
        },
        { interval: 500 },
      )
      .toContain('20')
    await page.getByText('Version 2, saved').waitFor()
  })

  test('are told if the other version cannot be read', async () => {
    const { page, read, theyWrite } = await twoPeople({ isLive: false })
    await write(page, pretty(MINE))
    await theyWrite({ value: THEIRS })
    // Aborting fails if the window closes meanwhile.
    await page.route(/\/trpc\/data\.get/, route => route.abort().catch(() => {}))
    await page.keyboard.press('Control+s')
    await page.getByRole('alert').getByText('The service is not responding').waitFor()
    await expect.poll(() => read()).toMatchObject({ value: THEIRS, version: 2 })
  })

  test('keep their text if the record is deleted', async () => {
    const { page, owner, subdomain, read } = await twoPeople()
    await write(page, pretty(MINE))
    await owner.data.delete({ subdomain, key: 'event' })
    await page.keyboard.press('Control+s')
    await page.getByText('Someone deleted this record').waitFor()
    await expectAccessible(page, 'data-deleted')
    await page.getByRole('button', { name: 'Create it again with your text' }).click()
    await expectNotice(page, 'Saved as version 1')
    await page.getByText('Someone deleted this record').waitFor({ state: 'detached' })
    await expect.poll(() => read()).toMatchObject({ value: MINE, version: 1, description: 'One event' })
  })
})

describe('unsaved changes', () => {
  test('are lost only after a confirmation', async () => {
    const { page } = await twoPeople()
    await write(page, pretty(MINE))
    await page.getByRole('link', { name: 'Files' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Value' }).innerText())
      .toContain('Open evening')
  })

  test('are kept while offline, and can be saved later', async () => {
    const { page, context, read } = await twoPeople()
    await write(page, pretty(MINE))
    await context.setOffline(true)
    await page.keyboard.press('Control+s')
    await page.getByText('Nothing you typed is lost.').first().waitFor()
    await expectAccessible(page, 'data-offline')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Version 2, saved').waitFor()
    await expect.poll(() => read()).toMatchObject({ value: MINE })
  })
})

describe('a new record', () => {
  test('never overwrites an existing record', async () => {
    const { page, open, owner, subdomain, read } = await twoPeople()
    await open(`/spaces/${subdomain}/new-record`)
    await page.getByRole('textbox', { name: 'Value' }).waitFor()
    await expectAccessible(page, 'data-new')
    await page.getByLabel('Key', { exact: true }).fill('Event!')
    await write(page, '{"a": 1}')
    await page.keyboard.press('Control+s')
    await page.getByText('Lowercase letters, digits and hyphens').nth(1).waitFor()
    await page.getByLabel('Key', { exact: true }).fill('event')
    await page.getByRole('button', { name: 'Create record' }).click()
    await page.getByText('Another record already has this key.').waitFor()
    await expectAccessible(page, 'data-key-taken')
    await expect.poll(() => read()).toMatchObject({ value: FIRST, version: 1 })
    await page.getByLabel('Key', { exact: true }).fill('weekly-todo')
    await page.getByText('{{ data["weekly-todo"].a }}').waitFor()
    await page.getByRole('button', { name: 'Create record' }).click()
    await page.waitForURL(url => url.pathname.endsWith('/data/weekly-todo'))
    await expect
      .poll(() => owner.data.get({ subdomain, key: 'weekly-todo' }))
      .toMatchObject({ value: { a: 1 } })
  })

  test('shows an error at the value field if the value is too large', async () => {
    const { page, open, subdomain } = await twoPeople()
    await open(`/spaces/${subdomain}/new-record?key=large`)
    await write(page, JSON.stringify('x'.repeat(65_536)))
    await page.getByText('The value is 2 bytes too large.').waitFor()
    const answer = page.waitForResponse(/records\.create/)
    await page.getByRole('button', { name: 'Create record' }).click()
    expect((await answer).status()).toBe(422)
    // The button is disabled until the error is shown.
    await page.getByRole('button', { name: 'Create record', disabled: false }).waitFor()
    await page.getByText('Must be at most 65536 bytes').waitFor({ state: 'detached' })
    await expectAccessible(page, 'data-too-large')
  })
})
