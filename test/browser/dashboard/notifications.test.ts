import { describe, expect, test } from 'vitest'
import { limits } from '../../../routers/api/rules.ts'
import { expectAccessible, expectFocus, root, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard({ operators: ['chief', 'chief2'] })

const people = async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: '# Beans' })
  return { author, reader, post_id: id }
}

describe('the notifications', () => {
  test('are empty at first, and the bell shows no number', async () => {
    const { author } = await people()
    const { page, open } = await dashboard.as(author)
    await open('/')
    await page.getByRole('link', { name: 'Notifications', exact: true }).click()
    await page.getByRole('heading', { name: 'No notifications' }).waitFor()
    await page.getByText('They are kept for 90 days.').waitFor()
    await expectAccessible(page, 'notifications-empty')
    await expect.poll(() => page.getByRole('button', { name: 'Mark all as read' }).count()).toBe(0)
  })

  test('of every kind are listed, lead to the post, and are marked as read', async () => {
    const { author, reader, post_id } = await people()
    const chief = await dashboard.service.signUp('chief')
    const { id: comment_id } = await reader.comments.create({ post_id, body: 'I grow <b>beans</b>\ntoo.' })
    await reader.posts.create({ format: 'reblog', url: dashboard.service.core.addresses.postPage(post_id) })
    const own = await author.comments.create({ post_id, body: 'Buy my beans' })
    await reader.reports.createForComment({ comment_id: own.id, reason: 'An advertisement' })
    await author.reports.createForComment({ comment_id, reason: 'Off topic' })
    const reports = await chief.reports.list()
    const by = (handle: string) => reports.find(({ reporter_handle }) => reporter_handle === handle)!.id
    await chief.reports.takeDown({ report_id: by(reader.handle), reason: 'It only advertises.' })
    await chief.reports.dismiss({ report_id: by(author.handle) })

    const { page, context, open } = await dashboard.as(author)
    await open('/')
    await page.getByRole('link', { name: 'Notifications, 4 unread' }).click()
    const list = page.getByRole('list', { name: 'Notifications' })
    for (const text of ['I grow <b>beans</b>', `${reader.handle} reblogged`, 'Reason: It only advertises.'])
      await list.getByText(text).waitFor()
    await list.getByText('The operators looked at a comment that you reported').waitFor()
    await expectAccessible(page, 'notifications')

    const [post] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: `${reader.handle} commented on “Beans”` }).click(),
    ])
    await expect
      .poll(() => post.url())
      .toBe(`${root(dashboard.service)}/posts/${post_id}#comment-${comment_id}`)
    await post.close()
    await page.getByRole('link', { name: 'Notifications, 3 unread' }).waitFor()

    const taken = list.getByRole('listitem').filter({ hasText: 'It only advertises.' })
    await taken.getByRole('button', { name: 'Mark as read' }).click()
    await page.getByRole('link', { name: 'Notifications, 2 unread' }).waitFor()
    await taken.getByRole('button', { name: 'Mark as read' }).waitFor({ state: 'hidden' })

    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await expectNotice(page, 'All notifications marked as read.')
    await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()
    await expectFocus(page, 'I grow')
    await expect.poll(() => list.getByRole('button', { name: 'Mark as read' }).count()).toBe(0)
    await expectAccessible(page, 'notifications-read')

    const readers = await dashboard.as(reader)
    await readers.open('/notifications')
    await readers.page.getByText('The operators took down a comment that you reported').waitFor()
    await readers.page.getByText('An advertisement').waitFor()
  })

  test('show a comment with its formatting, as the reports for operators do', async () => {
    const { author, reader, post_id } = await people()
    const body = 'They *grow* in `pots`:\n\n- beans\n- peas\n\n> Really?'
    const { id: comment_id } = await reader.discussions.addComment({ post_id, body })
    await author.reports.createForComment({ comment_id, reason: 'Off topic' })
    const { page, open } = await dashboard.as(author)
    await open('/notifications')
    await page.getByRole('list', { name: 'Notifications' }).locator('em').getByText('grow').waitFor()
    await expectAccessible(page, 'notification-formatted')
    const chiefs = await dashboard.as(await dashboard.service.signUp('chief2'))
    await chiefs.open('/reports')
    await chiefs.page.getByRole('blockquote').getByRole('listitem').getByText('peas').waitFor()
    await expectAccessible(chiefs.page, 'report-formatted')
  })

  test('that arrive later are counted when the window gets the focus', async () => {
    const { author, reader, post_id } = await people()
    const { page, open } = await dashboard.as(author)
    await open('/posts')
    await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()
    await reader.comments.create({ post_id, body: 'Hello' })
    const bell = page.getByRole('link', { name: 'Notifications, 1 unread' })
    await expect
      .poll(async () => {
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
        return bell.count()
      })
      .toBe(1)
  })

  test('are shown as 99+ if more than 99 are unread', async () => {
    const { author } = await people()
    const sql = dashboard.service.core.database
    const { id: account_id } = await sql
      .selectFrom('accounts')
      .where('handle', '=', author.handle)
      .select('id')
      .executeTakeFirstOrThrow()
    const row = { account_id, kind: 'taken_down', subject: 'post', text: 'Beans', at: new Date() } as const
    const rows = Array.from({ length: limits.unreadNotifications + 1 }, () => row)
    await sql.insertInto('notifications').values(rows).execute()
    const { page, open } = await dashboard.as(author)
    await open('/account')
    await page.getByRole('link', { name: 'Notifications, 99+ unread' }).waitFor()
    await expectAccessible(page, 'notifications-many')
  })

  test('show an error if they cannot be loaded, and load on a retry', async () => {
    const { author } = await people()
    const { page, open } = await dashboard.as(author)
    await page.route(/\/trpc\/[^?]*notifications\.list/, route => route.abort().catch(() => {}))
    await open('/notifications')
    await page.getByRole('heading', { name: 'The service is not responding' }).waitFor()
    await page.unroute(/\/trpc\/[^?]*notifications\.list/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'No notifications' }).waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })
})
