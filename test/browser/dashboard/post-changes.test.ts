import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Person } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'
import { expectShown } from '../support/page-preview.ts'

const dashboard = useDashboard()

const editor = (page: Page) => page.locator('.cm-content')

const edit = async (person: Person, id: string) => {
  const { page, open } = await dashboard.as(person)
  await open(`/posts/${id}`)
  await editor(page).waitFor()
  return page
}

const add = async (page: Page, text: string) => {
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.insertText(text)
}

const textOf = async (person: Person, post_id: string) => (await person.writing.get({ post_id })).markdown

describe('a post that was created through the API', () => {
  test('is shown as readers see it, with a note that its Markdown was not kept', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.posts.create({ format: 'markdown', markdown: '# From a **tool**' })
    const page = await edit(person, id)
    await page.getByText('The Markdown source was not kept').waitFor()
    const frame = page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])')
    await expectShown(frame.frameLocator('iframe').getByRole('heading', { name: 'From a tool' }))
    await expectAccessible(page, 'post-lost-source')
    await page.setViewportSize({ width: 1280, height: 800 })
    await add(page, 'Written again')
    await page.getByRole('button', { name: 'Update post' }).click()
    await expectNotice(page, 'Post updated. Readers see it now.')
    expect(await textOf(person, id)).toBe('Written again')
    await page.getByText('The Markdown source was not kept').waitFor({ state: 'hidden' })
  })
})

describe('a post', () => {
  test('can be saved as a new draft if it was deleted in the meantime', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.writing.createDraft({ format: 'markdown', markdown: 'First' })
    const page = await edit(person, id)
    await add(page, ' and last')
    await person.writing.deleteDraft({ post_id: id })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('This post was deleted').waitFor()
    await expectAccessible(page, 'post-gone')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Save as a new draft' }).click()
    await page.getByText('All changes saved').waitFor()
    const { posts } = await person.writing.list({})
    expect(posts).toMatchObject([{ title: 'First and last' }])
    await page.waitForURL(url => url.pathname === `/admin/posts/${posts[0]!.id}`)
    await editor(page).getByText('First and last').waitFor()
  })

  test('keeps its tags after publishing, and warns that saving in another format replaces its content', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.posts.create({ html: '<p>x', tags: ['beans'] })
    const page = await edit(person, id)
    await page.getByText('#beans. You can’t change tags after publishing.').waitFor()
    await page.getByText('Markdown', { exact: true }).click()
    await add(page, '# Again')
    await page.getByText('The saved post is in another format (HTML).').waitFor()
    await expectAccessible(page, 'post-other-format')
  })

  test('is deleted after a confirmation, and the list of posts opens', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.writing.createDraft({ format: 'markdown', markdown: 'Gone' })
    const page = await edit(person, id)
    await add(page, ' unsaved')
    await page.getByRole('button', { name: 'Delete draft' }).click()
    await page
      .getByRole('dialog', { name: 'Delete this draft?' })
      .getByRole('button', { name: 'Delete draft' })
      .click()
    await page.waitForURL(url => url.pathname === '/admin/posts')
    await expect.poll(async () => (await person.writing.list({})).posts).toEqual([])
  })

  test('can be opened in the editor only by its author', async () => {
    const [person, other] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
    const { id } = await other.posts.create({ html: 'x' })
    const { page, open } = await dashboard.as(person)
    await open(`/posts/${id}`)
    await page.getByRole('heading', { name: 'No such post' }).waitFor()
    await expectAccessible(page, 'post-none')
  })
})
