import type { withHandles } from '../../../db/queries/history.ts'
import type { ToldChange } from '../../../db/queries/told-changes.ts'
import { shownLabel } from '../../content/history/schema.ts'

const KINDS = ['page', 'part', 'record', 'file'] as const
const ACTIONS = ['created', 'changed', 'deleted'] as const

/** What a webhook can be told about. */
export const EVENTS = KINDS.flatMap(kind => ACTIONS.map(action => `${kind}.${action}` as const))

/** A change with the handle of its account; see {@link withHandles}. */
type KnownChange = Awaited<ReturnType<typeof withHandles<ToldChange>>>[number]

const AUTHORS = { session: 'person', space_key: 'key', user_token: 'token' } as const

const actionOf = ({ was, is }: Pick<ToldChange, 'was' | 'is'>): (typeof ACTIONS)[number] => {
  if (!was) return 'created'
  return is ? 'changed' : 'deleted'
}

/** The event that a change is, such as `page.created`. Changes of settings are none that a webhook can choose. */
export const eventOf = (change: Pick<ToldChange, 'kind' | 'was' | 'is'>): string =>
  `${change.kind}.${actionOf(change)}`

const toChange = (change: KnownChange) => ({
  kind: change.kind,
  id: change.thing,
  name: change.name,
  action: actionOf(change),
  at: change.at.toISOString(),
  revision: Number(change.revision),
  by: {
    kind: AUTHORS[change.actor_kind],
    handle: change.handle,
    label: shownLabel(change),
    agent: change.agent,
  },
})

const bodyOf = (type: string, now: Date, data: object): string =>
  JSON.stringify({ type, timestamp: now.toISOString(), data })

/** The body of a test. */
export const testBody = (space: string, now: Date): string => bodyOf('test', now, { space })

/**
 * The body of a delivery.
 *
 * @param about `continues`: whether the next delivery has more changes of the same write; `missed`: the revisions, after
 * the first and up to the second, of which changes are missing because the history no longer has them; null if there are none
 */
export const changesBody = (
  space: string,
  now: Date,
  changes: readonly KnownChange[],
  { continues, missed }: { continues: boolean; missed: { after: number; until: number } | null },
): string => bodyOf('content.changed', now, { space, changes: changes.map(toChange), continues, missed })
