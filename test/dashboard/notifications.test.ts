import { beforeAll, describe, expect, test } from 'vitest'
import { trimNotifications } from '../../routers/accounts/trim.ts'
import { limits } from '../../routers/api/rules.ts'
import { errorCodeOf } from '../support/problems.ts'
import { requestHost } from '../support/request-host.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const service = useTestService({ operators: ['chief'] })
const DAY = 24 * 60 * 60_000
let chief: Person

beforeAll(async () => {
  chief = await service.signUp('chief')
})

const people = async () => {
  const [author, reader] = await Promise.all([service.signUp(), service.signUp()])
  const { id: post_id } = await author.posts.create({ format: 'markdown', markdown: '# Beans' })
  return { author, reader, post_id }
}

const listOf = async (person: Person) => (await person.notifications.list({})).notifications
const unreadOf = async (person: Person) => (await person.notifications.unread()).count

/** Reports a post or comment, and returns the id of the report. */
const report = async (reporter: Person, target: { post_id: string } | { comment_id: string }) => {
  await ('post_id' in target
    ? reporter.reports.create({ ...target, reason: 'It is spam.' })
    : reporter.reports.createForComment({ ...target, reason: 'It is spam.' }))
  const open = await chief.reports.list()
  return open.findLast(({ reporter_handle }) => reporter_handle === reporter.handle)!.id
}

describe('the author of a post', () => {
  test('is notified of a comment', async () => {
    const { author, reader, post_id } = await people()
    const { id: comment_id } = await reader.comments.create({ post_id, body: 'Nice!' })
    expect(await listOf(author)).toMatchObject([
      {
        kind: 'commented',
        is_read: false,
        person: { handle: reader.handle, name: reader.handle },
        post: { id: post_id, title: 'Beans' },
        comment_id,
        text: 'Nice!',
      },
    ])
    expect(await listOf(reader)).toEqual([])
  })

  test('sees the latest text of a comment, formatted or plain; a report also shows the latest text', async () => {
    const { author, reader, post_id } = await people()
    const { id: comment_id } = await reader.discussions.addComment({ post_id, body: '*Nice!*' })
    const reportId = await report(author, { comment_id })
    const seen = async () => ({
      notification: (await listOf(author))[0],
      comment: (await chief.reports.list()).find(({ id }) => id === reportId)?.comment,
    })
    const html = '<p><em>Nice!</em></p>\n'
    expect(await seen()).toMatchObject({
      notification: { text: '*Nice!*', html },
      comment: { body: '*Nice!*', html },
    })
    await reader.comments.update({ comment_id, body: '*Very* nice!' })
    expect(await seen()).toMatchObject({
      notification: { text: '*Very* nice!', html: null },
      comment: { body: '*Very* nice!', html: null },
    })
  })

  test('gets a link to a later page of comments if the new comment is not among the first hundred', async () => {
    const { author, reader, post_id } = await people()
    for (let i = 0; i < 99; i++) await author.comments.create({ post_id, body: 'mine' })
    await reader.comments.create({ post_id, body: 'number 100' })
    expect(await listOf(author)).toMatchObject([{ text: 'number 100', comments_from: null }])
    await reader.comments.create({ post_id, body: 'late' })
    const [late] = await listOf(author)
    expect(late).toMatchObject({ text: 'late', comments_from: expect.any(String) as string })
    const isOn = async (query: string) => {
      const { text } = await requestHost(service, 'localhost', `/posts/${post_id}${query}`)
      return text.includes(`id="comment-${late!.comment_id}"`)
    }
    expect([await isOn(''), await isOn(`?from=${late!.comments_from}`)]).toEqual([false, true])
    const other = await people()
    await other.reader.comments.create({ post_id: other.post_id, body: 'early' })
    expect(await listOf(other.author)).toMatchObject([{ text: 'early', comments_from: null }])
  })

  test('gets a link to the first page if a blocked person wrote all comments before the new comment', async () => {
    const { author, reader, post_id } = await people()
    const blocked = await service.signUp()
    for (let i = 0; i < 101; i++) await blocked.comments.create({ post_id, body: 'noise' })
    await reader.comments.create({ post_id, body: 'late' })
    expect((await listOf(author))[0]).toMatchObject({
      text: 'late',
      comments_from: expect.any(String) as string,
    })
    await author.mutes.add({ handle: blocked.handle, block: true })
    expect(await listOf(author)).toMatchObject([{ text: 'late', comments_from: null }])
  })

  test('is not notified of their own comments and reblogs', async () => {
    const { author, post_id } = await people()
    await author.comments.create({ post_id, body: 'Thanks!' })
    await author.posts.create({ format: 'reblog', url: service.core.addresses.postPage(post_id) })
    expect(await listOf(author)).toEqual([])
  })

  test.each([
    ['the post’s page', (id: string) => `${service.core.addresses.postPage(id)}#comments`],
    ['the post’s own address', (id: string) => `${service.core.addresses.post(id)}/`],
  ])('is notified of a reblog that links to %s', async (_, address) => {
    const { author, reader, post_id } = await people()
    const { id } = await reader.posts.create({ format: 'reblog', url: address(post_id), text: 'Read this' })
    expect(await listOf(author)).toMatchObject([
      { kind: 'reblogged', person: { handle: reader.handle }, post: { id, title: 'Beans' } },
    ])
  })

  test('is notified of a reblog only when the draft of the reblog is published, and only once', async () => {
    const { author, reader, post_id } = await people()
    const url = service.core.addresses.postPage(post_id)
    const { id } = await reader.writing.createDraft({ format: 'reblog', url })
    expect(await unreadOf(author)).toBe(0)
    await reader.writing.publish({ post_id: id })
    await reader.writing.publish({ post_id: id })
    expect(await unreadOf(author)).toBe(1)
  })

  test.each([
    ['another site', () => 'https://beans.example/'],
    ['no post', () => service.core.addresses.postPage('2222222222222222')],
    ['the front page', () => service.core.addresses.apiRoot],
    ['a host with a port', () => 'http://localhost:1/'],
    ['an IPv6 address', () => 'http://[::1]:8080/posts/'],
    ['an address below a post’s page', () => service.core.addresses.postPage('2222222222222222/report')],
  ])('is not notified of a reblog that links to %s', async (_, address) => {
    const { author, reader } = await people()
    await reader.posts.create({ format: 'reblog', url: address() })
    expect(await listOf(author)).toEqual([])
  })

  test('has no notification of a comment or reblog that was deleted', async () => {
    const { author, reader, post_id } = await people()
    const { id: comment_id } = await reader.comments.create({ post_id, body: 'Oops' })
    const url = service.core.addresses.post(post_id)
    const { id: reblog } = await reader.posts.create({ format: 'reblog', url })
    expect(await unreadOf(author)).toBe(2)
    await reader.comments.delete({ comment_id })
    await reader.posts.delete({ post_id: reblog })
    expect([await listOf(author), await unreadOf(author)]).toEqual([[], 0])
  })

  test('loses the notification of a comment when the post or the commenter’s account is deleted', async () => {
    const { author, reader, post_id } = await people()
    await reader.comments.create({ post_id, body: 'Bye' })
    await reader.accounts.delete({ confirm: reader.handle })
    expect([await listOf(author), await unreadOf(author)]).toEqual([[], 0])
    const other = await service.signUp()
    await other.comments.create({ post_id, body: 'Hello' })
    await author.posts.delete({ post_id })
    expect([await listOf(author), await unreadOf(author)]).toEqual([[], 0])
  })

  test('is told why the operators took a post down', async () => {
    const { author, reader, post_id } = await people()
    const report_id = await report(reader, { post_id })
    await chief.reports.takeDown({ report_id, reason: 'It only advertises.' })
    expect(await listOf(author)).toMatchObject([
      { kind: 'taken_down', subject: 'post', post: null, text: 'Beans', reason: 'It only advertises.' },
    ])
  })
})

test('the author of a comment is told why the operators took it down, and the author of the post is not', async () => {
  const { author, reader, post_id } = await people()
  const { id: comment_id } = await reader.comments.create({ post_id, body: 'Buy now' })
  const report_id = await report(author, { comment_id })
  await chief.reports.takeDown({ report_id, reason: 'It only advertises.' })
  expect(await listOf(reader)).toMatchObject([
    { kind: 'taken_down', subject: 'comment', text: 'Buy now', reason: 'It only advertises.' },
  ])
  expect((await listOf(author)).map(({ kind }) => kind)).toEqual(['report_accepted'])
})

describe('a person who reported a post or comment', () => {
  test('is notified when the report is dismissed, with a link to the post', async () => {
    const { author, reader, post_id } = await people()
    await chief.reports.dismiss({ report_id: await report(reader, { post_id }) })
    expect(await listOf(reader)).toMatchObject([
      {
        kind: 'report_dismissed',
        subject: 'post',
        person: null,
        post: { id: post_id },
        text: 'It is spam.',
        reason: null,
      },
    ])
    const { id: comment_id } = await reader.comments.create({ post_id, body: 'Hello' })
    await chief.reports.dismiss({ report_id: await report(author, { comment_id }) })
    expect((await listOf(author))[0]).toMatchObject({
      kind: 'report_dismissed',
      subject: 'comment',
      post: { id: post_id },
      comment_id,
    })
  })

  test('is notified when the reported post is taken down, but is not told the reason', async () => {
    const { reader, post_id } = await people()
    const [second, third] = await Promise.all([service.signUp(), service.signUp()])
    await chief.reports.dismiss({ report_id: await report(third, { post_id }) })
    await report(second, { post_id })
    const report_id = await report(reader, { post_id })
    await chief.reports.takeDown({ report_id, reason: 'It only advertises.' })
    for (const person of [reader, second])
      expect(await listOf(person)).toMatchObject([
        { kind: 'report_accepted', subject: 'post', post: null, text: 'It is spam.', reason: null },
      ])
    expect(await listOf(third)).toEqual([])
  })

  test('is not notified of a decision that they made themselves as an operator', async () => {
    const { post_id } = await people()
    await chief.reports.dismiss({ report_id: await report(chief, { post_id }) })
    const own = await chief.posts.create({ html: 'mine' })
    const reader = await service.signUp()
    await chief.reports.takeDown({ report_id: await report(reader, { post_id: own.id }) })
    expect(await listOf(chief)).toEqual([])
  })
})

describe('notifications', () => {
  const withThree = async () => {
    const { author, reader, post_id } = await people()
    for (const body of ['one', 'two', 'three']) await reader.comments.create({ post_id, body })
    return { author, reader, post_id }
  }

  test('are marked as read one by one, by their owner only', async () => {
    const { author, reader } = await withThree()
    const [, second] = await listOf(author)
    await reader.notifications.markRead({ notification_id: second!.id })
    expect(await unreadOf(author)).toBe(3)
    await author.notifications.markRead({ notification_id: second!.id })
    expect((await listOf(author)).map(({ is_read }) => is_read)).toEqual([false, true, false])
    expect(await unreadOf(author)).toBe(2)
  })

  test('can all be marked as read in one call, except notifications newer than `latest_id`', async () => {
    const { author, reader, post_id } = await withThree()
    const [latest] = await listOf(author)
    await reader.comments.create({ post_id, body: 'four' })
    await author.notifications.markAllRead({ latest_id: latest!.id })
    expect((await listOf(author)).map(({ is_read }) => is_read)).toEqual([false, true, true, true])
  })

  test('of other people stay unread when a person marks all of theirs', async () => {
    const { author: other } = await withThree()
    const { author } = await withThree()
    const [latest] = await listOf(author)
    await author.notifications.markAllRead({ latest_id: latest!.id })
    expect([await unreadOf(author), await unreadOf(other)]).toEqual([0, 3])
  })

  test('are listed latest first, page by page', async () => {
    const { author, reader, post_id } = await people()
    const bodies = Array.from({ length: 31 }, (_, index) => `number ${index}`)
    for (const body of bodies) await reader.comments.create({ post_id, body })
    const first = await author.notifications.list({})
    const second = await author.notifications.list({ cursor: first.next })
    expect([...first.notifications, ...second.notifications].map(({ text }) => text)).toEqual(
      bodies.toReversed(),
    )
    expect([first.notifications.length, second.next]).toEqual([30, null])
  })

  test('refuse a malformed cursor', async () => {
    expect(await errorCodeOf(chief.notifications.list({ cursor: 'x' }))).toBe('validation_failed')
  })

  test('are deleted after 90 days', async () => {
    const { author } = await withThree()
    const { database } = service.core
    await trimNotifications(database, new Date(Date.now() + (limits.notificationDays - 1) * DAY))
    expect(await unreadOf(author)).toBe(3)
    await trimNotifications(database, new Date(Date.now() + (limits.notificationDays + 1) * DAY))
    expect(await unreadOf(author)).toBe(0)
  })

  test('beyond the limit of an account are deleted, oldest first', async () => {
    const { author } = await withThree()
    const { author: other } = await withThree()
    await other.notifications.markRead({ notification_id: (await listOf(other))[0]!.id })
    await trimNotifications(service.core.database, new Date(), 2)
    for (const person of [author, other])
      expect((await listOf(person)).map(({ text }) => text)).toEqual(['three', 'two'])
  })

  test('are deleted with the account', async () => {
    const { author } = await withThree()
    const db = service.core.database
    const { id } = await db
      .selectFrom('accounts')
      .where('handle', '=', author.handle)
      .select('id')
      .executeTakeFirstOrThrow()
    const rows = () => db.selectFrom('notifications').where('account_id', '=', id).select('kind').execute()
    expect(await rows()).toHaveLength(3)
    await author.accounts.delete({ confirm: author.handle })
    expect(await rows()).toEqual([])
  })
})
