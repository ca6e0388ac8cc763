import { beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../server/settings/settings.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const service = useTestService({ operators: ['boss.1', 'boss.2', 'boss.3'] })
let operator: Person
let author: Person
let reader: Person

beforeAll(async () => {
  ;[operator, author, reader] = await Promise.all([
    service.signUp('Boss.1'),
    service.signUp(),
    service.signUp(),
  ])
})

const newPost = async () => (await author.posts.create({ html: 'x' })).id
const reported = async (post_id: string) =>
  (await operator.reports.list()).filter(report => report.post_id === post_id)

describe('a report', () => {
  it('shows operators the post, its author, the reporter and the reason', async () => {
    const post_id = await newPost()
    await reader.reports.create({ post_id, reason: ' It is\r\nspam. ' })
    expect(await reported(post_id)).toEqual([
      {
        id: expect.any(String),
        post_id,
        post_url: `http://${post_id}.posts.localhost`,
        comment: null,
        author_handle: author.handle,
        author_is_suspended: false,
        reporter_handle: reader.handle,
        reason: 'It is\nspam.',
        created_at: expect.stringMatching(/Z$/),
      },
    ])
  })

  it('can be sent only once per account and post, even concurrently or after a dismissal', async () => {
    const post_id = await newPost()
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() => errorCodeOf(reader.reports.create({ post_id, reason: 'x' }))),
    )
    expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(1)
    expect(outcomes.filter(outcome => outcome === 'already_reported')).toHaveLength(3)
    expect(await errorCodeOf(author.reports.create({ post_id, reason: 'x' }))).toBeUndefined()
    for (const { id } of await reported(post_id)) await operator.reports.dismiss({ report_id: id })
    expect(await reported(post_id)).toEqual([])
    expect(await errorCodeOf(reader.reports.create({ post_id, reason: 'x' }))).toBe('already_reported')
  })

  it('needs a reason of 1 to 500 characters', async () => {
    const post_id = await newPost()
    for (const reason of ['', ' ', 'x'.repeat(501), 'a\u202eb'])
      expect(await errorFields(reader.reports.create({ post_id, reason }))).toEqual(['reason'])
    expect(await errorCodeOf(reader.reports.create({ post_id, reason: 'x'.repeat(500) }))).toBeUndefined()
  })

  it('needs a published post', async () => {
    const draft = await author.writing.createDraft({ html: 'x' })
    for (const person of [reader, author])
      for (const post_id of [draft.id, 'a'.repeat(16)])
        expect(await errorCodeOf(person.reports.create({ post_id, reason: 'x' }))).toBe('post_not_found')
  })

  it('is deleted with its post, but not with the account of its reporter', async () => {
    const [one, two] = [await newPost(), await newPost()]
    const leaver = await service.signUp()
    for (const post_id of [one, two]) await leaver.reports.create({ post_id, reason: 'x' })
    await author.posts.delete({ post_id: one })
    await leaver.accounts.delete({ confirm: leaver.handle })
    expect(await reported(one)).toEqual([])
    expect(await reported(two)).toMatchObject([{ reporter_handle: null }])
  })

  it('can be dismissed once', async () => {
    const post_id = await newPost()
    await reader.reports.create({ post_id, reason: 'x' })
    const [report] = await reported(post_id)
    await operator.reports.dismiss({ report_id: report!.id })
    for (const report_id of [report!.id, 'x'])
      expect(await errorCodeOf(operator.reports.dismiss({ report_id }))).toBe('report_not_found')
  })
})

describe('a report of a comment', () => {
  const newComment = async () => {
    const post_id = await newPost()
    const writer = await service.signUp()
    const { id: comment_id } = await writer.comments.create({ post_id, body: 'Buy <b>now</b>' })
    return { post_id, comment_id, writer }
  }

  type Commented = Awaited<ReturnType<typeof newComment>>

  it('shows operators the comment and its author', async () => {
    const { post_id, comment_id, writer } = await newComment()
    await reader.reports.createForComment({ comment_id, reason: 'Spam' })
    expect(await reported(post_id)).toMatchObject([
      {
        post_id,
        comment: { id: comment_id, body: 'Buy <b>now</b>' },
        author_handle: writer.handle,
        reporter_handle: reader.handle,
        reason: 'Spam',
      },
    ])
  })

  it('can be sent once per account, in addition to a report of the post', async () => {
    const { post_id, comment_id } = await newComment()
    const report = () => errorCodeOf(reader.reports.createForComment({ comment_id, reason: 'Spam' }))
    expect(new Set(await Promise.all([report(), report()]))).toEqual(new Set(['already_reported', undefined]))
    expect(await errorCodeOf(reader.reports.create({ post_id, reason: 'Spam' }))).toBeUndefined()
  })

  it('needs a comment on a published post', async () => {
    const { id: post_id } = await author.writing.createDraft({ html: 'x' })
    const { id: onDraft } = await author.comments.create({ post_id, body: 'x' })
    for (const comment_id of [onDraft, 'a'.repeat(16), 'x'])
      expect(await errorCodeOf(author.reports.createForComment({ comment_id, reason: 'x' }))).toBe(
        'comment_not_found',
      )
  })

  it.each([
    ['the comment is deleted', ({ writer, comment_id }: Commented) => writer.comments.delete({ comment_id })],
    ['the post is deleted', ({ post_id }: Commented) => author.posts.delete({ post_id })],
  ])('ends when %s', async (_, remove) => {
    const { post_id, comment_id, writer } = await newComment()
    await reader.reports.createForComment({ comment_id, reason: 'Spam' })
    await remove({ post_id, comment_id, writer })
    expect(await reported(post_id)).toEqual([])
  })

  it('lets an operator delete the comment, but not the post', async () => {
    const { post_id, comment_id } = await newComment()
    await reader.reports.createForComment({ comment_id, reason: 'Spam' })
    const [report] = await reported(post_id)
    await operator.reports.takeDown({ report_id: report!.id })
    expect((await author.comments.list({ post_id })).data).toEqual([])
    expect((await author.posts.get({ post_id })).id).toBe(post_id)
    expect(await reported(post_id)).toEqual([])
    expect(await errorCodeOf(operator.reports.takeDown({ report_id: report!.id }))).toBe('report_not_found')
    expect(service.log.find(line => line.comment_id === comment_id)).toMatchObject({
      msg: 'an operator took down a reported comment',
    })
  })

  it('can be dismissed, and then the comment stays', async () => {
    const { post_id, comment_id } = await newComment()
    await reader.reports.createForComment({ comment_id, reason: 'Spam' })
    const [report] = await reported(post_id)
    await operator.reports.dismiss({ report_id: report!.id })
    expect(await errorCodeOf(operator.reports.takeDown({ report_id: report!.id }))).toBe('report_not_found')
    expect((await author.comments.list({ post_id })).data).toHaveLength(1)
  })
})

describe('reports', () => {
  it('can be read by operators only; the letter case of their handles does not matter', async () => {
    expect(operator.handle).toBe('Boss.1')
    for (const person of [reader, author]) {
      expect(await errorCodeOf(person.reports.list())).toBe('operators_only')
      expect(await errorCodeOf(person.reports.dismiss({ report_id: 'x' }))).toBe('operators_only')
    }
    expect(await errorCodeOf(service.anonymous().reports.list())).toBe('sign_in_required')
    expect(await errorCodeOf(service.anonymous().reports.create({ post_id: 'x', reason: 'x' }))).toBe(
      'sign_in_required',
    )
  })

  it('are listed oldest first', async () => {
    const list = await operator.reports.list()
    expect(list.map(({ created_at }) => created_at)).toEqual(list.map(({ created_at }) => created_at).sort())
  })
})

describe('the handle of an operator', () => {
  it.each(['boss.1', 'BOSS.1', 'boss.2'])('%s is refused at sign-up as already taken', async handle => {
    expect(
      await errorCodeOf(service.anonymous().accounts.signUp({ handle, password: 'a password of mine' })),
    ).toBe('handle_taken')
  })

  it('cannot be chosen as a new handle, even when no account has it', async () => {
    for (const handle of ['Boss.1', 'BOSS.2'])
      expect(await errorCodeOf(reader.me.update({ handle }))).toBe('handle_taken')
    expect((await reader.me.get({})).handle).toBe(reader.handle)
  })

  it('can be changed in letter case by the operator', async () => {
    expect((await operator.me.update({ handle: 'bOSS.1' })).handle).toBe('bOSS.1')
    await operator.me.update({ handle: 'Boss.1' })
  })

  it('stays reserved after the operator changes to another handle', async () => {
    const leaving = await service.signUp('boss.3')
    const token = await leaving.token('profile')
    expect((await service.rest(token).patch('/me', { handle: 'retired' })).status).toBe(200)
    expect(await errorCodeOf(reader.me.update({ handle: 'boss.3' }))).toBe('handle_taken')
    expect((await service.rest(token).patch('/me', { handle: 'boss.3' })).body.code).toBe('handle_taken')
  })
})

it.each([
  [undefined, []],
  ['', []],
  ['Robin', ['robin']],
  [' @Robin , sam.2,,', ['robin', 'sam.2']],
])('OPERATORS=%j lists the handles %j', (OPERATORS, operators) => {
  expect(readSettings({ OPERATORS }).operators).toEqual(operators)
})
