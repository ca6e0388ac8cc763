import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { uniqueName, useTestService } from '../support/test-service.ts'
import { holdLocks, waitForBlocked } from '../support/transactions.ts'

const service = useTestService()

const faults = () => service.log.filter(({ msg }) => msg === 'fault')

/** PostgreSQL's code for a transaction that it cancelled because of a deadlock. */
const DEADLOCK = '40P01'

/** Makes a PATCH and another transaction wait for each other. Returns whether PostgreSQL cancelled the PATCH. */
const deadlock = async () => {
  const [person, other] = await Promise.all([service.signUp(), service.signUp()])
  const handle = uniqueName('wanted')
  // Another transaction takes the handle and stays open. The PATCH locks the account of `person`, then waits for the
  // handle.
  const rival = await holdLocks(service, db =>
    db.updateTable('accounts').set({ handle }).where('handle', '=', other.handle).execute(),
  )
  const changed = person.api.patch('/me', { handle })
  await waitForBlocked(service, 1)
  const isCancelled = await rival
    .run(db =>
      db.selectFrom('accounts').where('handle', '=', person.handle).select('id').forUpdate().execute(),
    )
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === DEADLOCK) return false
        throw error
      },
    )
  await rival.rollback()
  expect(await changed).toMatchObject({ status: 200, body: { handle } })
  return isCancelled
}

it('PATCH /me is retried after a deadlock', async () => {
  // PostgreSQL ends a deadlock by cancelling one transaction: the PATCH or the other one. If PostgreSQL checks the
  // PATCH for a deadlock before the other transaction waits, PostgreSQL cancels the other one. So the test creates
  // deadlocks until PostgreSQL cancels the PATCH.
  while (!(await deadlock()));
  expect(faults()).toEqual([])
})

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
})
