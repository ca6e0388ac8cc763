import { beforeAll, describe, expect, it } from 'vitest'
import { dismissReport } from '../../db/queries/reports.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { holdLocks, waitForBlocked } from '../support/transactions.ts'

const service = useTestService({ operators: ['boss.1', 'boss.2'] })
let boss: Person
let deputy: Person
let author: Person
let reader: Person

beforeAll(async () => {
  ;[boss, deputy, author, reader] = await Promise.all([
    service.signUp('Boss.1'),
    service.signUp('boss.2'),
    service.signUp(),
    service.signUp(),
  ])
})

/** Publishes a post, and reports it as each of the given people. */
const reported = async (...reporters: Person[]) => {
  const { id: post_id } = await author.posts.create({ html: '<title>Secret recipe</title>' })
  for (const reporter of reporters)
    await reporter.reports.create({ post_id, reason: `Rude, says ${reporter.handle}` })
  return { post_id, report_ids: (await openReports(post_id)).map(({ id }) => id) }
}

const openReports = async (post_id: string) =>
  (await boss.reports.list()).filter(report => report.post_id === post_id)

const ownPosts = async () => (await author.posts.list({})).data.map(({ id }) => id)

const idOf = async ({ handle }: Person) => {
  const db = service.core.database
  return (await db.selectFrom('accounts').where('handle', '=', handle).select('id').executeTakeFirstOrThrow())
    .id
}

const faults = () => service.log.filter(({ msg }) => msg === 'fault')

describe('a reported post', () => {
  it.each([
    ['an operator', () => boss, undefined],
    ['an operator who has reported it', () => deputy, undefined],
    ['its author', () => author, 'operators_only'],
    ['a person who has reported it', () => reader, 'operators_only'],
    ['an unauthenticated caller', () => service.anonymous(), 'sign_in_required'],
  ])('can be taken down only by operators: %s', async (_caller, caller, refusal) => {
    const { post_id, report_ids } = await reported(reader, deputy)
    expect(await errorCodeOf(caller().reports.takeDown({ report_id: report_ids[0]! }))).toBe(refusal)
    expect((await ownPosts()).includes(post_id)).toBe(refusal !== undefined)
    expect(await openReports(post_id)).toHaveLength(refusal === undefined ? 0 : 2)
  })

  it('is deleted by a take-down, together with its likes, comments and reports', async () => {
    const { post_id, report_ids } = await reported(reader, deputy)
    await reader.likes.add({ post_id })
    await reader.comments.create({ post_id, body: 'x' })
    await boss.reports.dismiss({ report_id: report_ids[1]! })
    await boss.reports.takeDown({ report_id: report_ids[0]! })
    for (const person of [author, reader, boss])
      expect(await errorCodeOf(person.posts.get({ post_id }))).toBe('post_not_found')
    expect(await ownPosts()).not.toContain(post_id)
    expect((await fetch(`${service.root}/posts/${post_id}`)).status).toBe(404)
    const db = service.core.database
    for (const table of ['likes', 'comments', 'reports'] as const)
      expect(await db.selectFrom(table).where('post_id', '=', post_id).select('post_id').execute()).toEqual(
        [],
      )
  })

  it('can be taken down without affecting other posts of its author', async () => {
    const [one, other] = [await reported(reader), await reported(reader)]
    await boss.reports.takeDown({ report_id: one.report_ids[0]! })
    expect(await ownPosts()).toContain(other.post_id)
    expect(await openReports(other.post_id)).toHaveLength(1)
  })

  it('can be taken down after a dismissal only if it is reported again', async () => {
    const { post_id, report_ids } = await reported(reader)
    const [report_id] = report_ids
    await deputy.reports.dismiss({ report_id: report_id! })
    expect(await errorCodeOf(boss.reports.takeDown({ report_id: report_id! }))).toBe('report_not_found')
    expect(await ownPosts()).toContain(post_id)
    await deputy.reports.create({ post_id, reason: 'x' })
    await boss.reports.takeDown({ report_id: (await openReports(post_id))[0]!.id })
    expect(await ownPosts()).not.toContain(post_id)
  })

  it('cannot be taken down after its author deleted it', async () => {
    const { post_id, report_ids } = await reported(reader)
    await author.posts.delete({ post_id })
    expect(await errorCodeOf(boss.reports.takeDown({ report_id: report_ids[0]! }))).toBe('report_not_found')
  })

  it('can be taken down only with the id of a report', async () => {
    const { post_id, report_ids } = await reported(reader)
    expect(await errorCodeOf(boss.reports.takeDown({ report_id: post_id }))).toBe('report_not_found')
    const input = { report_id: report_ids[0]!, post_id }
    expect(await errorFields(boss.reports.takeDown(input))).toEqual(['post_id'])
    expect(await ownPosts()).toContain(post_id)
  })
})

describe('concurrent calls about a reported post', () => {
  it('let only one of two operators take the post down', async () => {
    const { post_id, report_ids } = await reported(reader, deputy)
    const post = await holdLocks(service, db =>
      db.selectFrom('posts').where('id', '=', post_id).select('id').forUpdate().execute(),
    )
    const calls = [
      errorCodeOf(boss.reports.takeDown({ report_id: report_ids[0]! })),
      errorCodeOf(deputy.reports.takeDown({ report_id: report_ids[1]! })),
    ]
    await waitForBlocked(service, 2)
    await post.commit()
    const outcomes = await Promise.all(calls)
    expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(1)
    expect(outcomes).toContain('report_not_found')
    expect(faults()).toEqual([])
  })

  it('give an operator an error if the author deletes the post first', async () => {
    const { post_id, report_ids } = await reported(reader)
    const deletion = await holdLocks(service, db =>
      db.deleteFrom('posts').where('id', '=', post_id).execute(),
    )
    const outcome = errorCodeOf(boss.reports.takeDown({ report_id: report_ids[0]! }))
    await waitForBlocked(service, 1)
    await deletion.commit()
    expect(await outcome).toBe('report_not_found')
    expect(faults()).toEqual([])
  })

  it('give an operator an error for taking down a post whose report was dismissed', async () => {
    const { post_id, report_ids } = await reported(reader)
    const [report_id] = report_ids
    const dismissal = await holdLocks(service, db => dismissReport(db, report_id!, boss.handle, new Date()))
    const outcome = errorCodeOf(boss.reports.takeDown({ report_id: report_id! }))
    await waitForBlocked(service, 1)
    await dismissal.commit()
    expect(await outcome).toBe('report_not_found')
    expect(await ownPosts()).toContain(post_id)
  })
})

it('a take-down logs one line with operator, post and author, but without content', async () => {
  const { post_id, report_ids } = await reported(reader)
  const [report_id] = report_ids
  await boss.reports.takeDown({ report_id: report_id! })
  expect(await errorCodeOf(deputy.reports.takeDown({ report_id: report_id! }))).toBe('report_not_found')
  const lines = service.log.filter(line => Object.values(line).includes(post_id))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    msg: 'an operator took down a reported post',
    operator_id: await idOf(boss),
    author_id: await idOf(author),
  })
  expect(JSON.stringify(service.log)).not.toMatch(/recipe|Rude/)
})
