import { expect, test } from 'vitest'
import type { Sql } from '../../db/database.ts'
import { errorCodeOf } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'
import { holdLocks, lockSpace, waitForBlocked } from '../support/transactions.ts'

const service = useTestService()

const HOUR = 3600

/** Returns the column values that a rotation stores for the old key or token, with an overlap that begins now. */
const rotatedNow = () => ({ replaced_at: new Date(), expires_at: new Date(Date.now() + HOUR * 1000) })

const key = async () => {
  const { owner, subdomain } = await service.createSpace()
  const { id } = await owner.keys.issue({ subdomain, label: 'raced', scopes: ['pages'] })
  return {
    rotate: () => owner.keys.rotate({ subdomain, key_id: id, overlap_seconds: HOUR }),
    lock: (db: Sql) => lockSpace(db, subdomain, 'forNoKeyUpdate'),
    rotateElsewhere: (db: Sql) =>
      db.updateTable('space_keys').set(rotatedNow()).where('id', '=', id).execute(),
    ended: 'key_ended',
  }
}

const token = async () => {
  const person = await service.signUp()
  const { id } = await person.tokens.issue({ label: 'raced', scopes: ['posts'] })
  return {
    rotate: () => person.tokens.rotate({ token_id: id, overlap_seconds: HOUR }),
    lock: (db: Sql) =>
      db.selectFrom('accounts').where('handle', '=', person.handle).select('id').forNoKeyUpdate().execute(),
    rotateElsewhere: (db: Sql) =>
      db.updateTable('user_tokens').set(rotatedNow()).where('id', '=', id).execute(),
    ended: 'token_ended',
  }
}

// Within one process, a queue in memory orders the writes. The writes of different processes are ordered only by the
// lock of the row.
test.each([
  ['key', key],
  ['token', token],
])('a %s that another process is rotating cannot be rotated', async (_what, create) => {
  const { rotate, lock, rotateElsewhere, ended } = await create()
  const elsewhere = await holdLocks(service, lock)
  const rotation = errorCodeOf(rotate())
  await Promise.race([waitForBlocked(service, 1), rotation])
  await elsewhere.run(rotateElsewhere)
  await elsewhere.commit()
  expect(await rotation).toBe(ended)
})
