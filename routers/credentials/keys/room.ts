import type { Sql } from '../../../db/orm.ts'
import { countSpaceKeys, deleteEndedSpaceKeys } from '../../../db/queries/space-keys.ts'
import { Problem } from '../../core/problem.ts'
import { limits } from '../../core/rules.ts'

/**
 * Refuses one key too many. It holds only under the lock of the space.
 *
 * @param isReplacing whether it takes the place of one that goes on working for a while
 * @throws `too_many_keys`
 */
export const requireRoomForKey = async (sql: Sql, spaceId: string, now: Date, isReplacing: boolean) => {
  const { lasting, replaced } = await countSpaceKeys(sql, spaceId, now)
  if (isReplacing && replaced >= limits.keys)
    throw new Problem('too_many_keys', {
      detail: `${limits.keys} keys that were replaced still work. Revoke one of them, or let this one stop at once.`,
    })
  if (!isReplacing && lasting >= limits.keys)
    throw new Problem('too_many_keys', {
      detail: `A space has at most ${limits.keys} keys. Revoke one that nothing uses any more, then issue this one.`,
    })
  await deleteEndedSpaceKeys(sql, spaceId, now, limits.keys)
}
