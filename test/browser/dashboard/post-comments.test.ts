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

  test('are formatted as on the page of the post', async () => {
    const { author, reader, post_id } = await people()
    const body = [
      'They **grow** _in_ ~~pots~~\n[gardens](https://example.com/a?b=1&c=2):',
      '3. beans\n4. `peas <b>`',
      '- one\n- two',
      '> Really?',
      `\`\`\`\na line of code ${'that-fits-no-phone-'.repeat(8)}\n\`\`\``,
    ]
    await reader.discussions.addComment({ post_id, body: body.join('\n\n') })
    await reader.comments.create({ post_id, body: 'They *sleep*' })
    const { page, open } = await dashboard.as(author)
    await open(`/posts/${post_id}/comments`)
    const list = page.getByRole('list', { name: 'Comments' })
    await list.getByText('They *sleep*').waitFor()
    const text = list.locator('div[dir="auto"]')
    const link = text.getByRole('link', { name: 'gardens' })
    expect(await link.getAttribute('href')).toBe('https://example.com/a?b=1&c=2')
    expect(await link.getAttribute('rel')).toBe('noopener nofollow ugc')
    expect(await text.locator('p').first().innerText()).toBe('They grow in pots\ngardens:')
    for (const [element, content] of [
      ['strong', 'grow'],
      ['em', 'in'],
      ['s', 'pots'],
      ['ol[start="3"] > li:first-child', 'beans'],
      ['li > code', 'peas <b>'],
      ['ul > li:last-child', 'two'],
      ['blockquote > p', 'Really?'],
    ] as const)
      expect(await text.locator(element).innerText()).toBe(content)
    expect(await text.locator('pre > code').innerText()).toContain('a line of code')
    await expectAccessible(page, 'post-comments-formatted')
  })

  test('contain only the elements that formatted comments allow, even if the stored HTML has others', async () => {
    const { author, reader, post_id } = await people()
    const { id } = await reader.discussions.addComment({ post_id, body: 'x' })
    const html = `<h1 id="x">heading</h1><script>console.error('ran')</script>
      <p class="x">text</p><img src="x">
      <a href="javascript:console.error('ran')">script</a> <a href="/admin">relative</a> <a href="data:text/html,x">data</a>
      <a href=" https://example.com/" target="_top">link</a><form><button>send</button></form>`
    await dashboard.service.core.database.orm.em
      .fork()
      .execute('update formatted_comments set html = ? where comment_id = ?', [html, id])
    const { page, open } = await dashboard.as(author)
    await open(`/posts/${post_id}/comments`)
    const text = page.getByRole('list', { name: 'Comments' }).locator('div[dir="auto"]')
    await text.getByText('heading').waitFor()
    const tagsOf =
      "Array.from(document.querySelectorAll('[aria-label=Comments] [dir=auto] *'), e => e.outerHTML)"
    expect(await page.evaluate(tagsOf)).toEqual([
      '<p>text</p>',
      '<a href="https://example.com/" target="_blank" rel="noopener nofollow ugc">link</a>',
    ])
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

  test('show an error if they cannot be loaded, and load on a retry', async () => {
    const { author, post_id } = await people()
    const { page, open } = await dashboard.as(author)
    await page.route(/\/trpc\/[^?]*discussions\.get/, route => route.abort().catch(() => {}))
    await open(`/posts/${post_id}/comments`)
    await page.getByRole('heading', { name: 'The service is not responding' }).waitFor()
    await page.unroute(/\/trpc\/[^?]*discussions\.get/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'No comments yet' }).waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  test('show a not-found message if the post does not exist', async () => {
    const { author } = await people()
    const { page, open } = await dashboard.as(author)
    await open('/posts/2222222222222222/comments')
    await page.getByRole('heading', { name: 'No such post' }).waitFor()
    await expectAccessible(page, 'post-comments-unknown')
  })
})
