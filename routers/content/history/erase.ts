import type { ChangeRow } from '../../../db/queries/history.ts'
import { eraseChanges } from '../../../db/queries/history-retention.ts'
import { noteMissedChanges } from '../../../db/queries/webhooks.ts'
import { recordEvent } from '../../api/audit.ts'
import type { ParticipantCall } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import { currentState, nameOf, stateFrom } from './state.ts'

/** Maximum number of changes that one step deletes while it holds the lock of the space. */
const STEP = 1_000

/**
 * Erases a deleted item: deletes all of its changes with their bodies, in small steps. The bytes of a file that no other
 * change refers to are deleted in the background, within seconds.
 *
 * @param deletion the change that deleted the item
 * @throws `item_exists`, or MissingRowError if the space was deleted
 */
export const eraseItem = async (
  { core, caller, writeMembership }: ParticipantCall,
  spaceId: string,
  deletion: ChangeRow,
): Promise<void> => {
  const { kind, thing } = deletion
  // A step can delete fewer changes than it selected, because old ones are deleted in the background.
  for (let erased = 1, isFirst = true; erased > 0; isFirst = false)
    erased = await writeMembership(async sql => {
      if (await currentState(sql, spaceId, deletion)) throw new Problem('item_exists')
      const revisions = await eraseChanges(sql, spaceId, deletion, STEP)
      await noteMissedChanges(sql, spaceId, revisions)
      if (isFirst && revisions.length > 0) {
        const name = kind === 'space' ? thing : nameOf(deletion, stateFrom(deletion.before, null))!
        await recordEvent(sql, { spaceId }, 'erased', caller, { item: { kind, name } })
      }
      return revisions.length
    })
  core.onErase(spaceId)
}
