import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { uniqueName, useTestService } from '../support/test-service.ts'
import { holdLocks, waitForBlocked } from '../support/transactions.ts'

const service = useTestService()

const faults = () => service.log.filter(({ msg }) => msg === 'fault')

it('PATCH /me is retried after a deadlock', async () => {
  const [person, other] = await Promise.all([service.signUp(), service.signUp()])
  const handle = uniqueName('wanted')
  // Takes the handle in an open transaction. The PATCH then locks its account and waits for the handle.
  const rival = await holdLocks(service, db =>
    db.updateTable('accounts').set({ handle }).where('handle', '=', other.handle).execute(),
  )
  const changed = person.api.patch('/me', { handle })
  await waitForBlocked(service, 1)
  // Now both transactions wait for each other, and PostgreSQL cancels the PATCH, which has waited longer.
  await rival.run(db =>
    db.selectFrom('accounts').where('handle', '=', person.handle).select('id').forUpdate().execute(),
  )
  await rival.rollback()
  expect(await changed).toMatchObject({ status: 200, body: { handle } })
  expect(faults()).toEqual([])
}, 20_000)

it('two accounts that swap handles concurrently both get handle_taken', async () => {
  const [one, two] = await Promise.all([service.signUp(), service.signUp()])
  for (let round = 0; round < 5; round++) {
    // While this lock is held, both calls can lock their accounts, but neither can update its account.
    const table = await holdLocks(service, db => sql`lock table accounts in share mode`.execute(db))
    const swap = Promise.all([
      one.api.patch('/me', { handle: two.handle }),
      two.api.patch('/me', { handle: one.handle }),
    ])
    await waitForBlocked(service, 2)
    await table.commit()
    const responses = await swap
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'handle_taken'],
      [409, 'handle_taken'],
    ])
  }
  expect(faults()).toEqual([])
}, 30_000)
