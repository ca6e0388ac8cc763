import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Person } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

const editor = (page: Page) => page.locator('.cm-content').filter({ visible: true })
const conflict = (page: Page) => page.getByRole('region', { name: 'This post was changed elsewhere' })
const theirText = (page: Page) => conflict(page).getByRole('textbox', { name: 'Saved version' })
const myText = (page: Page) => conflict(page).getByRole('textbox', { name: 'Your version' })
const press = (page: Page, name: string) => conflict(page).getByRole('button', { name }).first().click()
const save = (page: Page) => page.getByRole('button', { name: /^(Save draft|Update post)$/ }).click()
const saved = (page: Page) => page.getByText('All changes saved').waitFor()

const TEXT = '# Garden\n\nOpen on Monday\n\nBeans\n\nPeas\n\nLeeks\n\nFree entry'
const THEIRS = TEXT.replace('Monday', 'Tuesday')
const MINE = `${TEXT}, and two euros`

/**
 * Changes a Markdown draft in the editor, and saves it after another client has changed it.
 *
 * @param changeElsewhere changes the post as another window or a token would
 */
const collide = async (
  changeElsewhere: (person: Person, post_id: string) => Promise<unknown> = (person, post_id) =>
    person.writing.updateDraft({ post_id, format: 'markdown', markdown: THEIRS }),
) => {
  const person = await dashboard.service.signUp()
  const { id } = await person.writing.createDraft({ format: 'markdown', markdown: TEXT, tags: ['garden'] })
  const { page, open } = await dashboard.as(person)
  await open(`/posts/${id}`)
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.insertText(', and two euros')
  await changeElsewhere(person, id)
  await save(page)
  await myText(page).waitFor()
  return { page, stored: () => person.writing.get({ post_id: id }) }
}

describe('a post that was changed elsewhere', () => {
  test('is not overwritten, and both versions are shown with their differences', async () => {
    const { page, stored } = await collide()
    await expectAccessible(page, 'post-conflict')
    await expect.poll(() => theirText(page).innerText()).toContain('Tuesday')
    await expect.poll(() => myText(page).innerText()).toContain('two euros')
    await expect.poll(() => theirText(page).locator('.cm-changedText').first().innerText()).toContain('Tues')
    await expect.poll(async () => (await stored()).markdown).toBe(THEIRS)
  })

  test('can be overwritten with your version', async () => {
    const { page, stored } = await collide()
    await press(page, 'Save your version')
    await saved(page)
    await expect.poll(async () => (await stored()).markdown).toBe(MINE)
  })

  test('can be merged by hand', async () => {
    const { page, stored } = await collide()
    await press(page, 'Accept this change')
    await press(page, 'Save merged text')
    await saved(page)
    await expect.poll(async () => (await stored()).markdown).toBe(`${THEIRS}, and two euros`)
    await editor(page).getByText('Open on Tuesday').waitFor()
  })

  test('can be edited further, and the next save asks again', async () => {
    const { page, stored } = await collide()
    await expect.poll(() => page.getByRole('button', { name: 'Save draft' }).isDisabled()).toBe(true)
    await press(page, 'Back to editing')
    await editor(page).getByText('two euros').waitFor()
    await expect
      .poll(() => page.evaluate("document.activeElement?.closest('main > div') !== null"))
      .toBe(true)
    await save(page)
    await myText(page).waitFor()
    await expect.poll(async () => (await stored()).markdown).toBe(THEIRS)
  })

  test('gets the tags of the other version if only that version changed them; you do not have to choose', async () => {
    const { page, stored } = await collide((person, post_id) =>
      person.writing.updateDraft({ post_id, format: 'markdown', markdown: THEIRS, tags: ['beans'] }),
    )
    await expect.poll(() => conflict(page).getByRole('radiogroup').count()).toBe(0)
    await press(page, 'Save your version')
    await saved(page)
    await expect.poll(() => stored()).toMatchObject({ markdown: MINE, tags: ['beans'] })
  })

  test('lets you choose the link and the tags if both versions changed them', async () => {
    const person = await dashboard.service.signUp()
    const address = (name: string) => `https://${name}.example/${'climbing-'.repeat(12)}`
    const { id } = await person.writing.createDraft({ format: 'reblog', url: address('old'), text: 'Read' })
    const { page, open } = await dashboard.as(person)
    await open(`/posts/${id}`)
    await page.getByRole('textbox', { name: 'Link' }).fill(address('mine'))
    await page.getByRole('combobox', { name: 'Tags' }).pressSequentially('peas,')
    await person.writing.updateDraft({
      post_id: id,
      format: 'reblog',
      url: address('theirs'),
      text: 'Read this',
      tags: ['beans'],
    })
    await save(page)
    await myText(page).waitFor()
    await expectAccessible(page, 'post-conflict-address')
    await conflict(page).getByRole('radiogroup', { name: 'Link' }).getByLabel('Saved version').check()
    await press(page, 'Save your version')
    await saved(page)
    await expect
      .poll(() => person.writing.get({ post_id: id }))
      .toMatchObject({
        url: address('theirs'),
        text: 'Read this',
        tags: ['peas'],
      })
  })

  test('can be kept or overwritten, but not merged, if it now has another format', async () => {
    const { page, stored } = await collide((person, post_id) =>
      person.writing.updateDraft({ post_id, format: 'html', html: '<p>Theirs</p>', tags: ['new'] }),
    )
    await conflict(page).getByText('The two versions are in different formats').waitFor()
    await expect.poll(() => myText(page).getAttribute('aria-readonly')).toBe('true')
    await expectAccessible(page, 'post-conflict-formats')
    await press(page, 'Use saved version')
    await editor(page).getByText('<p>Theirs</p>').waitFor()
    await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)
    await editor(page).click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.insertText('<p>And mine</p>')
    await save(page)
    await saved(page)
    await expect.poll(async () => (await stored()).html).toBe('<p>Theirs</p><p>And mine</p>')
  })

  test('is updated only after a confirmation if it was published in the meantime', async () => {
    const { page, stored } = await collide((person, post_id) => person.writing.publish({ post_id }))
    await conflict(page).getByText('The post is published').waitFor()
    await expect.poll(async () => (await stored()).markdown).toBe(TEXT)
    await press(page, 'Save your version')
    await expectNotice(page, 'Post updated. Readers see it now.')
    await expect.poll(async () => (await stored()).markdown).toBe(MINE)
  })

  test('is shown as readers see it if the change came through the API, which keeps no Markdown', async () => {
    const { page, stored } = await collide(async (person, post_id) => {
      await person.writing.publish({ post_id })
      await person.posts.update({ post_id, format: 'markdown', markdown: THEIRS })
    })
    await conflict(page).getByText('The Markdown source of that version was not kept').waitFor()
    await expect.poll(() => theirText(page).innerText()).toMatch(/^Garden\n+Open on Tuesday/)
    await expectAccessible(page, 'post-conflict-lost')
    await press(page, 'Use saved version')
    await page.getByText('saving replaces the whole post').waitFor()
    await expect.poll(async () => (await stored()).document).toContain('Open on Tuesday')
  })
})
