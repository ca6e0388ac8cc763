import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { hold, untilWaiting } from '../support/transactions.ts'
import { uniqueName, useWorld } from '../support/world.ts'

const world = useWorld()

const faults = () => world.log.filter(({ msg }) => msg === 'fault')

it('PATCH /me is retried after a deadlock', async () => {
  const [person, other] = await Promise.all([world.person(), world.person()])
  const handle = uniqueName('wanted')
  // Takes the handle without committing, so that the PATCH waits for it while it has its own account locked.
  const rival = await hold(world, db =>
    db.updateTable('accounts').set({ handle }).where('handle', '=', other.handle).execute(),
  )
  const changed = person.api.patch('/me', { handle })
  await untilWaiting(world, 1)
  // Now the two wait for each other. PostgreSQL cancels the PATCH, which has waited longer.
  await rival.run(db =>
    db.selectFrom('accounts').where('handle', '=', person.handle).select('id').forUpdate().execute(),
  )
  await rival.rollback()
  expect(await changed).toMatchObject({ status: 200, body: { handle } })
  expect(faults()).toEqual([])
}, 20_000)

it('two accounts that swap handles concurrently both get handle_taken', async () => {
  const [one, two] = await Promise.all([world.person(), world.person()])
  for (let round = 0; round < 5; round++) {
    // Lets both lock their accounts, and then update them concurrently.
    const table = await hold(world, db => sql`lock table accounts in share mode`.execute(db))
    const swap = Promise.all([
      one.api.patch('/me', { handle: two.handle }),
      two.api.patch('/me', { handle: one.handle }),
    ])
    await untilWaiting(world, 2)
    await table.commit()
    const answers = await swap
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'handle_taken'],
      [409, 'handle_taken'],
    ])
  }
  expect(faults()).toEqual([])
}, 30_000)
