import type { ChangeKind } from '../../../db/queries/items.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import { SETTING_SCOPES, type SpaceScope } from '../../api/scopes.ts'

/** The scopes that let a key see the changes of a kind of item; one of them is enough. */
const READING: Record<Exclude<ChangeKind, 'space'>, readonly SpaceScope[]> = {
  page: ['pages'],
  part: ['pages'],
  record: ['data'],
  file: ['files', 'files_write'],
}

/** The scope that a key needs to restore a kind of item. */
const WRITING: Record<keyof typeof READING, SpaceScope> = {
  page: 'pages',
  part: 'pages',
  record: 'data',
  file: 'files_write',
}

/**
 * A caller of the history. The scopes decide which changes the caller can see and restore. Who may change settings of the
 * space sees their changes. Editors see them too, but only owners can restore them.
 */
type Caller = Pick<SpaceCall, 'scopes'>

/** The kinds of items whose changes a caller can see. */
export const readableKinds = ({ scopes }: Caller): ChangeKind[] => [
  ...(Object.keys(READING) as (keyof typeof READING)[]).filter(kind =>
    READING[kind].some(scope => scopes.includes(scope)),
  ),
  ...(SETTING_SCOPES.every(scope => scopes.includes(scope)) ? (['space'] as const) : []),
]

/** The kinds of items whose changes an undo can include. A key has no role, and belongs to an owner. */
export const undoableKinds = (caller: Caller & Pick<SpaceCall, 'role'>): ChangeKind[] =>
  readableKinds(caller).filter(kind => kind !== 'space' || caller.role !== 'editor')

/**
 * Checks that a caller may restore items of these kinds.
 *
 * @throws `insufficient_scope` if a scope is missing
 */
export const requireWritable = ({ scopes }: Caller, kinds: readonly ChangeKind[]): void => {
  for (const kind of kinds)
    if (kind !== 'space' && !scopes.includes(WRITING[kind]))
      throw new Problem('insufficient_scope', { detail: `Restoring this needs the scope ${WRITING[kind]}.` })
}
