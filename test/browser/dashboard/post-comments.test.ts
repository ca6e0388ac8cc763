import { describe, expect, test } from 'vitest'
import { errorCodeOf } from '../../support/problems.ts'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

const people = async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: '# Beans' })
  return { author, reader, post_id: id }
}

describe('the comments on a post', () => {
  test('open from the editor, and are deleted one by one', async () => {
    const { author, reader, post_id } = await people()
    await reader.comments.create({ post_id, body: 'polite' })
    await reader.comments.create({ post_id, body: '<b>rude</b>\nand long' })
    const { page, open } = await dashboard.as(author)
    await open(`/posts/${post_id}`)
    await page.getByRole('main').getByRole('link', { name: 'Comments', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Comments' }).waitFor()
    const rude = page.getByRole('listitem').filter({ hasText: '<b>rude</b>' })
    await rude.waitFor()
    await expectAccessible(page, 'post-comments')
    await rude.getByRole('button', { name: `Delete the comment by ${reader.handle}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this comment?' })
    await dialog.getByText(`@${reader.handle}`).waitFor()
    await dialog.getByRole('button', { name: 'Delete comment' }).click()
    await expectNotice(page, 'Comment deleted.')
    await rude.waitFor({ state: 'hidden' })
    await expectFocus(page, 'polite')
    await page.getByText('polite').waitFor()
    expect((await author.comments.list({ post_id })).data).toMatchObject([{ body: 'polite' }])
  })

  test('are closed and opened again', async () => {
    const { author, reader, post_id } = await people()
    const { page, open } = await dashboard.as(author)
    await open(`/posts/${post_id}/comments`)
    await page.getByRole('heading', { name: 'No comments yet' }).waitFor()
    await expectAccessible(page, 'post-comments-empty')
    await page.getByRole('button', { name: 'Close for comments' }).click()
    await page.getByText('Nobody can add comments until you open the post again.').waitFor()
    await expectAccessible(page, 'post-comments-closed')
    expect(await errorCodeOf(reader.comments.create({ post_id, body: 'late' }))).toBe('validation_failed')
    await page.getByRole('button', { name: 'Open for comments' }).click()
    await page.getByRole('button', { name: 'Close for comments' }).waitFor()
    await reader.comments.create({ post_id, body: 'in time' })
  })

  test('show an error, and can be retried', async () => {
    const { author, post_id } = await people()
    const { page, open } = await dashboard.as(author)
    await page.route(/\/trpc\/[^?]*discussions\.get/, route => route.abort())
    await open(`/posts/${post_id}/comments`)
    await page.getByRole('heading', { name: 'The service is not responding' }).waitFor()
    await page.unroute(/\/trpc\/[^?]*discussions\.get/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'No comments yet' }).waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  test('of an unknown post are not found', async () => {
    const { author } = await people()
    const { page, open } = await dashboard.as(author)
    await open('/posts/2222222222222222/comments')
    await page.getByRole('heading', { name: 'No such post' }).waitFor()
    await expectAccessible(page, 'post-comments-unknown')
  })
})
