import { describe, expect, test } from 'vitest'
import { expectAccessible, root, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

describe('the list of posts', () => {
  test('invites you to write the first post', async () => {
    const { page, open } = await dashboard.as(await dashboard.service.signUp())
    await open('/posts')
    await page.getByRole('heading', { name: 'Write your first post' }).waitFor()
    await expectAccessible(page, 'posts-empty')
    await page.getByRole('link', { name: 'New post' }).click()
    await page.getByRole('heading', { name: 'New post' }).waitFor()
  })

  test('shows drafts and published posts with likes and comments, and can be filtered', async () => {
    const [person, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
    const { id } = await person.posts.create({
      html: '<title>Beans that climb</title>',
      tags: ['garden', 'beans'],
    })
    await reader.likes.add({ post_id: id })
    await reader.comments.create({ post_id: id, body: 'Mine too!' })
    await person.posts.create({
      format: 'reblog',
      url: 'https://beans.example/a/long/way/down',
      text: 'A very long title that has to be cut somewhere because no list is as wide as this one would like',
    })
    await person.writing.createDraft({ format: 'markdown', markdown: '# What I think of peas\n\nNot much.' })
    const { page, open } = await dashboard.as(person)
    await open('/posts')
    const row = page.getByRole('listitem').filter({ hasText: 'Beans that climb' })
    await row.getByText('1 like', { exact: true }).waitFor()
    await row.getByText('1 comment', { exact: true }).waitFor()
    await row.getByText('#beans #garden').waitFor()
    const address = `${root(dashboard.service)}/posts/${id}`
    await row.locator(`a[href="${address}"]`).waitFor()
    await expectAccessible(page, 'posts')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByText('Drafts 1').click()
    await page.waitForURL(url => url.search === '?show=drafts')
    await page.getByRole('link', { name: 'What I think of peas' }).waitFor()
    await expect.poll(() => row.count()).toBe(0)
    await open('/posts?show=published')
    await row.waitFor()
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'peas' }).count()).toBe(0)
  })

  test('says that no post matches a filter, and links back to all posts', async () => {
    const person = await dashboard.service.signUp()
    await person.posts.create({ html: 'x' })
    const { page, open } = await dashboard.as(person)
    await open('/posts?show=drafts')
    await page.getByRole('heading', { name: 'No drafts' }).waitFor()
    await expectAccessible(page, 'posts-no-drafts')
    await page.getByRole('link', { name: 'Show all posts' }).click()
    await page.getByRole('listitem').filter({ hasText: 'HTML' }).waitFor()
  })

  test('loads more posts after the first thirty', async () => {
    const person = await dashboard.service.signUp()
    for (let i = 1; i <= 31; i++) await person.writing.createDraft({ html: `<p>Number ${i}.` })
    const { page, open } = await dashboard.as(person)
    await open('/posts')
    await page.getByRole('link', { name: 'Number 31.' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Number 1.', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show older posts' }).click()
    await page.getByRole('link', { name: 'Number 1.', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Show older posts' }).count()).toBe(0)
  })

  test('deletes a post after a confirmation, and moves the focus to the list', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.posts.create({ html: '<title>Gone soon</title>' })
    await person.posts.create({ html: '<title>Stays</title>' })
    const { page, open } = await dashboard.as(person)
    await open('/posts')
    await page.getByRole('button', { name: 'Delete Gone soon' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this post?' })
    await dialog.waitFor()
    await expectAccessible(page, 'posts-delete')
    await dialog.getByRole('button', { name: 'Delete post' }).click()
    await expectNotice(page, 'Post deleted')
    await page.getByRole('link', { name: 'Gone soon' }).waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate("document.activeElement?.closest('main') !== null")).toBe(true)
    expect((await fetch(`${dashboard.service.root}/posts/${id}`)).status).toBe(404)
  })

  test('does not delete a draft that was published in the meantime', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.writing.createDraft({ html: '<title>Quick</title>' })
    const { page, open } = await dashboard.as(person)
    await open('/posts')
    await page.getByRole('button', { name: 'Delete Quick' }).click()
    await person.writing.publish({ post_id: id })
    await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click()
    await expectNotice(page, 'This draft was published in the meantime')
    expect((await fetch(`${dashboard.service.root}/posts/${id}`)).status).toBe(200)
  })

  test('shows an internal error, and loads the posts on a retry', async () => {
    const person = await dashboard.service.signUp()
    await person.writing.createDraft({ html: '<title>Safe</title>' })
    const { page, open } = await dashboard.as(person)
    const { database } = dashboard.service.core
    const rename = (from: string, to: string) =>
      database.orm.em.fork().execute(`alter table ${from} rename to ${to}`)
    await rename('likes', 'likes_away')
    await open('/posts')
    await page.getByText('This is an error on our side.').waitFor()
    await expectAccessible(page, 'posts-fault')
    await rename('likes_away', 'likes')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Safe' }).waitFor()
  })
})
