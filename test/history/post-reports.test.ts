import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { holdLocks, waitForBlocked } from '../support/transactions.ts'

const service = useTestService({ operators: ['boss'] })

let operator: Person
let author: Person
let reader: Person
let post_id: string

beforeAll(async () => {
  operator = await service.signUp('boss')
})

beforeEach(async () => {
  ;[author, reader] = await Promise.all([service.signUp(), service.signUp()])
  post_id = (await author.posts.create({ html: 'rude' })).id
})

const reports = async () => (await operator.reports.list()).filter(report => report.post_id === post_id)
const report = (by: Person, reason: string) => by.reports.create({ post_id, reason })
const restore = () => author.postHistory.restoreDeleted({ post_id })

describe('a reported post that its author deletes', () => {
  it('hides its reports from operators until it is restored, and then shows all of them again', async () => {
    await report(reader, 'rude')
    await report(await service.signUp(), 'spam')
    const before = await reports()
    expect(before.map(({ reason }) => reason)).toEqual(['rude', 'spam'])
    for (let times = 0; times < 2; times++) {
      await author.api.delete(`/posts/${post_id}`)
      expect(await reports()).toEqual([])
      expect(await errorCodeOf(operator.reports.takeDown({ report_id: before[0]!.id }))).toBe(
        'report_not_found',
      )
      await restore()
      expect(await reports()).toEqual(before)
    }
    expect(await errorCodeOf(report(reader, 'again'))).toBe('already_reported')
    await operator.reports.takeDown({ report_id: before[0]!.id })
    expect(await errorCodeOf(restore())).toBe('post_not_found')
  })

  it('keeps dismissed reports dismissed', async () => {
    await report(reader, 'rude')
    await operator.reports.dismiss({ report_id: (await reports())[0]!.id })
    await author.posts.delete({ post_id })
    await restore()
    expect(await reports()).toEqual([])
    expect(await errorCodeOf(report(reader, 'again'))).toBe('already_reported')
  })

  it('has its report after a restore, without the reporter’s handle if that account was deleted', async () => {
    await report(reader, 'rude')
    await author.posts.delete({ post_id })
    await reader.accounts.delete({ confirm: reader.handle })
    await restore()
    expect(await reports()).toMatchObject([{ reporter_handle: null, reason: 'rude' }])
  })

  it('is shown to the author without its reports: as a deleted post, in the history and when restored', async () => {
    await report(reader, 'secret words')
    await author.posts.delete({ post_id })
    const [deleted] = (await author.postHistory.deleted({})).posts
    const answers = [
      deleted,
      await author.postHistory.get({ change_id: deleted!.change_id }),
      await author.postHistory.list({ post_id }),
      await restore(),
    ]
    expect(JSON.stringify(answers)).not.toContain('secret words')
  })

  /** Deletes the post while a transaction with `work` is open, and restores it afterwards. */
  const deleteDuring = async (work: Parameters<typeof holdLocks>[1]) => {
    const held = await holdLocks(service, work)
    const deletion = author.posts.delete({ post_id })
    await waitForBlocked(service, 1)
    await held.commit()
    await deletion
    await restore()
  }

  it('has its report after a restore, even if the report was sent during the deletion', async () => {
    const late = { id: `${post_id}-late`, post_id, reporter_id: null, reason: 'late', created_at: new Date() }
    await deleteDuring(sql => sql.insertInto('reports').values(late).execute())
    expect(await reports()).toMatchObject([{ reason: 'late' }])
  })

  it('has no open report after a restore if its report was dismissed during the deletion', async () => {
    await report(reader, 'rude')
    const [{ id } = { id: '' }] = await reports()
    await deleteDuring(sql =>
      sql.updateTable('reports').set({ dismissed_at: new Date() }).where('id', '=', id).execute(),
    )
    expect(await reports()).toEqual([])
  })
})
