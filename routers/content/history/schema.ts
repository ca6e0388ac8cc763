import { z } from 'zod'
import type { ChangePlace, ChangeRow } from '../../../db/queries/history.ts'
import { timestamp } from '../../api/fields.ts'
import { contentTypeOf } from '../files/content-type.ts'
import { settings } from '../pages/schema.ts'
import { isSameState, nameOf, type State as StoredState, stateFrom } from './state.ts'

export const KINDS = ['page', 'part', 'record', 'file', 'space'] as const

export const kind = z.enum(KINDS)

export const instant = z.iso
  .datetime({ error: 'must be a UTC timestamp' })
  .transform(value => new Date(value))

const PLACE = new RegExp(`^(\\d{1,18})-(${KINDS.join('|')})-(.+)$`, 's')

/** Parses the id of a change, which contains its place in the history. Returns null when the id is malformed. */
export const placeFrom = (id: string): ChangePlace | null => {
  const [, revision, kind, thing] = PLACE.exec(id) ?? []
  return revision === undefined ? null : { revision, kind: kind as ChangePlace['kind'], thing: thing! }
}

/** Returns the id of a change. */
const idOf = ({ revision, kind, thing }: ChangePlace): string => `${revision}-${kind}-${thing}`

export const changeId = z
  .string()
  .max(100)
  .meta({ description: 'The id of the change', examples: ['42-record-opening-hours'] })

/** The author of a change. */
export const Actor = z.object({
  kind: z.enum(['space_key', 'user_token', 'session']),
  /** Id by which the list can be filtered. */
  id: z.string(),
  /** Label of the key or token; null for a person's own change, or after the account was deleted. */
  label: z.string().nullable(),
  /**
   * Handle of the account that made the change, or that issued the key or token; null after the account was deleted.
   */
  handle: z.string().nullable(),
  /** Name that an agent's client sent; it can be anything. */
  agent: z.string().nullable(),
})

export const Change = z.object({
  id: z.string(),
  at: timestamp,
  kind,
  /** An id, a record's key, or the name of a setting: `name` or `icon`. */
  thing: z.string(),
  action: z.enum(['create', 'change', 'rename', 'delete']),
  cause: z.enum(['write', 'restore', 'undo', 'import']),
  /** Id shared by the changes of one restore, undo, import or other write of several items. */
  operation: z.string().nullable(),
  /** The item's name before the change. Null if the change created the item, or if the item has no name. */
  name_before: z.string().nullable(),
  /** The item's name after the change. Null if the change deleted the item, or if the item has no name. */
  name: z.string().nullable(),
  /** Whether earlier changes of the item are no longer kept. */
  trimmed: z.boolean(),
  actor: Actor,
})

/** A state of an item with its body. */
export const State = z.object({
  name: z.string().nullable(),
  ...({ kind: settings.kind.nullable() } satisfies Record<keyof typeof settings, z.ZodType>),
  /** Description of a record. */
  description: z.string().nullable(),
  /** Bytes of a file or icon. */
  size: z.int().nullable(),
  /** Content type of a file or icon. */
  content_type: z.string().nullable(),
  /** SHA-256 of the body or bytes in hexadecimal. It is equal for states with the same content. */
  digest: z.string().nullable(),
  /**
   * The body of a page or part, the value of a record as JSON text, or the text of a file; null for a large file and
   * for one that is not UTF-8 text.
   */
  text: z.string().nullable(),
})

/**
 * The label of an author's key or token. Returns null after the account was deleted, because people put their name in
 * labels.
 */
export const shownLabel = ({ handle, actor_label }: Pick<ChangeRow, 'actor_label' | 'handle'>) =>
  handle === null ? null : actor_label

/** Converts the columns about the author of a change to the actor object. */
export const toActor = (
  row: Pick<ChangeRow, 'actor_kind' | 'actor' | 'actor_label' | 'handle' | 'agent'>,
): z.output<typeof Actor> => ({
  kind: row.actor_kind,
  id: row.actor,
  label: shownLabel(row),
  handle: row.handle,
  agent: row.agent,
})

/** What a change did to its item. */
const actionOf = (row: ChangeRow) => {
  const before = stateFrom(row.before, row.before_digest)
  const after = stateFrom(row.after, row.after_digest)
  if (before === null) return 'create'
  if (after === null) return 'delete'
  const { slug, name } = after
  const isRenamed = nameOf(row, before) !== nameOf(row, after)
  return isRenamed && isSameState({ ...before, slug, name }, { ...after, slug, name }) ? 'rename' : 'change'
}

/** Converts a row to the change object. */
export const toChange = (row: ChangeRow): z.output<typeof Change> => ({
  id: idOf(row),
  at: row.at.toISOString(),
  kind: row.kind,
  thing: row.thing,
  action: actionOf(row),
  cause: row.cause,
  operation: row.operation,
  name_before: nameOf(row, row.before as StoredState | null),
  name: nameOf(row, row.after as StoredState | null),
  trimmed: row.trimmed,
  actor: toActor(row),
})

/** The content type of a file or icon; null for anything else. */
const typeOf = (kind: ChangeRow['kind'], { name, digest }: StoredState): string | null => {
  if (kind === 'file') return contentTypeOf(name ?? '')
  return kind === 'space' && digest ? 'image/png' : null
}

/** Converts a stored state to the state object that callers get. */
export const toState = (
  item: Pick<ChangeRow, 'kind' | 'thing'>,
  state: StoredState,
  text: string | null,
): z.output<typeof State> => ({
  name: nameOf(item, state),
  kind: state.kind ?? null,
  description: state.description ?? null,
  size: item.kind === 'record' ? null : (state.size ?? null),
  content_type: typeOf(item.kind, state),
  digest: state.digest?.toString('hex') ?? null,
  text,
})
