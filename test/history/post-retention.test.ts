import { beforeEach, describe, expect, it } from 'vitest'
import { type PostRetentionLimits, trimPostHistory } from '../../routers/accounts/trim.ts'
import { errorCodeOf } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const DAY = 24 * 60 * 60_000
const LIMITS: PostRetentionLimits = { days: 30, versions: 100, bytes: 1_000_000_000 }
const service = useTestService({ postHistory: { ...LIMITS, days: 45 } })

let person: Person
beforeEach(async () => {
  person = await service.signUp()
  await service.core.database.deleteFrom('post_changes').execute()
})

const trim = (limits: Partial<PostRetentionLimits>, days = 0) =>
  trimPostHistory(
    service.core.database,
    { ...LIMITS, ...limits },
    new Date(0),
    new Date(Date.now() + days * DAY),
  )

const kept = async (post_id: string) =>
  Promise.all(
    (await person.postHistory.list({ post_id })).changes.map(
      async ({ id }) => (await person.postHistory.get({ change_id: id })).version.html?.[0],
    ),
  )

/** Creates a post with the first text, and replaces its text with each of the others in turn. */
const write = async (...texts: string[]) => {
  const { id } = await person.posts.create({ html: texts[0]! })
  for (const html of texts.slice(1)) await person.posts.update({ post_id: id, html })
  return id
}

const long = (text: string) => text.padEnd(100_000, ' -')

describe('the history of posts', () => {
  it('says for how many days it is kept', async () => {
    expect(await person.postHistory.list({ post_id: await write('1') })).toEqual({
      changes: [],
      next: null,
      kept_days: 45,
    })
  })

  it('is kept for the configured number of days', async () => {
    const id = await write('1', '2', '3')
    const deleted = await write('a')
    await person.posts.delete({ post_id: deleted })
    await trim({}, 29)
    expect(await kept(id)).toEqual(['2', '1'])
    expect(await kept(deleted)).toEqual(['a'])
    await trim({}, 31)
    expect(await kept(id)).toEqual([])
    expect((await person.postHistory.deleted({})).posts).toEqual([])
    expect(await errorCodeOf(person.postHistory.restoreDeleted({ post_id: deleted }))).toBe('post_not_found')
  })

  it('has at most the configured number of versions of each post', async () => {
    const [one, other] = [await write('1', '2', '3', '4', '5'), await write('a', 'b')]
    await trim({ versions: 2 })
    expect(await kept(one)).toEqual(['4', '3'])
    expect(await kept(other)).toEqual(['a'])
  })

  it('has a separate size limit for each account, and loses the oldest versions first', async () => {
    const someone = await service.signUp()
    const theirs = await someone.posts.create({ html: long('x') })
    await someone.posts.update({ post_id: theirs.id, html: 'y' })
    const one = await write(...['1', '2', '3'].map(long))
    const other = await write(...['a', 'b'].map(long))
    await trim({ bytes: 250_000 })
    expect(await kept(one)).toEqual(['2'])
    expect(await kept(other)).toEqual(['a'])
    expect((await someone.postHistory.list({ post_id: theirs.id })).changes).toHaveLength(1)
  })

  it('is complete at exactly its limits, and loses only the oldest version when it exceeds a limit', async () => {
    const id = await write('1', '2', '3', '4')
    const rows = await service.core.database
      .selectFrom('post_changes')
      .select(['at', 'size'])
      .orderBy('position')
      .execute()
    const bytes = rows.reduce((sum, { size }) => sum + size, 0)
    const end = rows[0]!.at.getTime() + LIMITS.days * DAY
    const at = (time: number) => trimPostHistory(service.core.database, LIMITS, new Date(0), new Date(time))

    await trim({ versions: 3, bytes })
    await at(end)
    expect(await kept(id)).toEqual(['3', '2', '1'])
    await trim({ bytes: bytes - 1 })
    expect(await kept(id)).toEqual(['3', '2'])
    await trim({ versions: 1 })
    expect(await kept(id)).toEqual(['3'])
    await at(rows[2]!.at.getTime() + LIMITS.days * DAY)
    expect(await kept(id)).toEqual(['3'])
    await at(rows[2]!.at.getTime() + LIMITS.days * DAY + 1)
    expect(await kept(id)).toEqual([])
  })

  it('is trimmed in steps of 200 until nothing is left to delete', async () => {
    const id = await write('1', '2')
    const db = service.core.database
    const { position: _, ...row } = await db.selectFrom('post_changes').selectAll().executeTakeFirstOrThrow()
    await db
      .insertInto('post_changes')
      .values(Array.from({ length: 500 }, () => row))
      .execute()
    await trim({ versions: 3 })
    expect(await kept(id)).toHaveLength(3)
    await trim({}, 31)
    expect(await kept(id)).toEqual([])
  })
})
