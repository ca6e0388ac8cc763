import { newId } from '../../../db/id.ts'
import { findStoredBytes } from '../../../db/queries/files.ts'
import type { ChangeRow } from '../../../db/queries/history.ts'
import { removeSpaceIcon, setSpaceIcon } from '../../../db/queries/icons.ts'
import { earlierStates, insertItems, removeItems, updateItems } from '../../../db/queries/items.ts'
import { updateSpaceName } from '../../../db/queries/spaces.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { Problem } from '../../api/problem.ts'
import { contentTypeOf } from '../files/content-type.ts'
import { nameOf, type State } from './state.ts'

/** The state that an item had before or after a change, possibly with another name. */
export interface Target {
  change: Pick<ChangeRow, 'kind' | 'thing' | 'revision'>
  side: 'before' | 'after'
  /** Null if the item did not exist. */
  state: State | null
}

/**
 * Gives an item an earlier state, as an ordinary write that the history records. A deleted item gets its id back. The
 * caller checks limits afterwards.
 *
 * @param exists whether the item exists now
 * @throws `change_not_found` if the change is no longer in the history, or a violation of `pages_slug_unique` or
 * `parts_name_unique`
 */
export const applyTarget = async (write: SpaceWrite, target: Target, exists: boolean): Promise<void> => {
  const { change, side, state } = target
  const { kind, thing } = change
  if (kind === 'space') return applySetting(write, thing, state)
  if (state === null) return void (await removeItems(write, kind, [thing]))
  const name = nameOf(change, state)!
  const states = earlierStates(
    write.spaceId,
    kind,
    side,
    [{ ...change, content_type: kind === 'file' ? contentTypeOf(name) : null }],
    kind === 'page' ? { slug: name } : kind === 'part' ? { name } : {},
  )
  const written = exists
    ? await updateItems(write, kind, states)
    : await insertItems(write, kind, states, [thing])
  if (written !== 1) throw new Problem('change_not_found')
}

const applySetting = async (write: SpaceWrite, setting: string, state: State | null): Promise<void> => {
  if (setting === 'name') await updateSpaceName(write, state!.name!)
  else if (state === null) await removeSpaceIcon(write)
  else {
    // The bytes of icons are never in the file store.
    const { bytes } = (await findStoredBytes(write.sql, write.spaceId, state.digest!))!
    await setSpaceIcon(write, { id: newId(), png: bytes! })
  }
}
