import { describe, expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice, keepUndoOffered } from '../support/notices.ts'

const dashboard = useDashboard()

describe('the history of a post', () => {
  test('says that a post has not changed yet', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.posts.create({ html: 'one' })
    const { page, open } = await dashboard.as(person)
    await open(`/posts/${id}/history`)
    await page.getByRole('heading', { name: 'No changes yet' }).waitFor()
    await expectAccessible(page, 'post-history-empty')
  })

  test('opens from the editor, and lets the author compare and restore an earlier version', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.writing.createDraft({
      format: 'markdown',
      markdown: 'first words',
      tags: ['a'],
    })
    await person.writing.updateDraft({
      post_id: id,
      format: 'markdown',
      markdown: 'second words',
      tags: ['b'],
    })
    const { page, open } = await dashboard.as(person)
    await open(`/posts/${id}`)
    await page.getByRole('main').getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { level: 1, name: 'History of the post' }).waitFor()
    await page.getByText('They are kept for up to 30 days.').waitFor()
    await page.getByText('by you').waitFor()
    await expectAccessible(page, 'post-history')
    await page.getByRole('link', { name: 'View the previous version' }).click()
    await page.getByText('first words').waitFor()
    await page.getByText('second words').waitFor()
    await page.getByRole('cell', { name: '#a' }).waitFor()
    await expectAccessible(page, 'post-version')
    await page.getByRole('button', { name: 'Restore this version' }).click()
    await page.getByText('This is the current version.').waitFor()
    await page.getByRole('link', { name: 'Open the post' }).click()
    await page.locator('.cm-content').getByText('first words').waitFor()
    expect(await person.writing.get({ post_id: id })).toMatchObject({ markdown: 'first words', tags: ['a'] })
    expect((await person.postHistory.list({ post_id: id })).changes).toHaveLength(2)
  })

  test('compares two versions as HTML if one was saved through the API, and says that a token saved it', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.writing.createDraft({ format: 'markdown', markdown: 'some *words*' })
    await person.api.patch(`/posts/${id}`, { format: 'markdown', markdown: 'other words' })
    const { page, open } = await dashboard.as(person)
    await open(`/posts/${id}/history`)
    await page.getByText('by your token').waitFor()
    const links = page.getByRole('link', { name: 'View the previous version' })
    expect(await links.count()).toBe(1)
    await links.click()
    await page.getByText('<em>words</em>').waitFor()
    await page.getByText('<p>other words</p>').waitFor()
  })

  test('says that an unknown change does not exist', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.posts.create({ html: 'one' })
    const { page, open } = await dashboard.as(person)
    await open(`/posts/${id}/history/999999`)
    await page.getByRole('heading', { level: 1, name: 'No such change' }).waitFor()
    await expectAccessible(page, 'post-version-unknown')
  })
})

describe('a deleted post', () => {
  test('is back after Undo', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.posts.create({ html: '<title>Oops</title>' })
    const { page, open } = await dashboard.as(person)
    await open('/posts')
    await keepUndoOffered(page)
    await page.getByRole('button', { name: 'Delete Oops' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete post' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectNotice(page, 'Post is back')
    await page.getByRole('link', { name: 'Oops' }).waitFor()
    expect((await fetch(`${dashboard.service.root}/posts/${id}`)).status).toBe(200)
  })

  test('is listed with the time left, can be read, and is restored from the list', async () => {
    const person = await dashboard.service.signUp()
    const [first, second] = [
      await person.posts.create({ html: '<title>First</title> the text' }),
      await person.writing.createDraft({ html: '<title>Second</title>' }),
    ]
    await person.posts.delete({ post_id: first.id })
    await person.writing.deleteDraft({ post_id: second.id })
    const { page, open } = await dashboard.as(person)
    await open('/posts')
    await page.getByRole('link', { name: 'Deleted posts' }).click()
    await page.getByText('30 days left').first().waitFor()
    await expectAccessible(page, 'posts-deleted')
    await page.getByRole('button', { name: 'Restore Second' }).click()
    await expectNotice(page, 'Draft restored')
    await page.getByRole('link', { name: 'Second' }).waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate("document.activeElement?.closest('main') !== null")).toBe(true)
    await page.getByRole('link', { name: 'First' }).click()
    await page.getByText('The post is deleted.').waitFor()
    await page.getByText('the text').waitFor()
    await expectAccessible(page, 'post-version-deleted')
    await page.getByRole('button', { name: 'Restore post' }).click()
    await expectNotice(page, 'Post restored')
    await page.locator('.cm-content').getByText('the text').waitFor()
    expect(await person.writing.list({})).toMatchObject({ published: 1, drafts: 1, deleted: 0 })
  })

  test('is not shown to other people, who see an empty list of deleted posts', async () => {
    const [person, other] = [await dashboard.service.signUp(), await dashboard.service.signUp()]
    const { id } = await person.posts.create({ html: 'one' })
    await person.posts.delete({ post_id: id })
    const [deleted] = (await person.postHistory.deleted({})).posts
    const { page, open } = await dashboard.as(other)
    await open('/posts')
    await page.getByRole('heading', { name: 'Write your first post' }).waitFor()
    expect(await page.getByRole('link', { name: 'Deleted posts' }).count()).toBe(0)
    await open('/posts/deleted')
    await page.getByRole('heading', { name: 'No deleted posts' }).waitFor()
    await expectAccessible(page, 'posts-deleted-empty')
    await open(`/posts/${id}/history/${deleted!.change_id}`)
    await page.getByRole('heading', { level: 1, name: 'No such change' }).waitFor()
    expect(await page.getByRole('button', { name: 'Restore post' }).count()).toBe(0)
  })
})
