import { z } from 'zod'
import type { ChangePlace, ChangeRow } from '../../../db/queries/history.ts'
import { timestamp } from '../../core/fields.ts'
import { contentTypeOf } from '../files/filename.ts'
import type { State as StoredState } from './state.ts'

export const KINDS = ['page', 'part', 'record', 'file', 'space'] as const

export const kind = z.enum(KINDS)

export const instant = z.iso
  .datetime({ error: 'must be a UTC timestamp' })
  .transform(value => new Date(value))

const PLACE = /^(\d{1,18})-(\d{1,9})$/

/** Parses the id of a change, which contains its place in the history. Returns null when the id is malformed. */
export const placeFrom = (id: string): ChangePlace | null => {
  const [, revision, position] = PLACE.exec(id) ?? []
  return revision === undefined ? null : { revision, position: Number(position) }
}

export const changeId = z
  .string()
  .max(30)
  .meta({ description: 'The id of the change', examples: ['42-0'] })

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
  /** Id shared by the changes of one restore, undo or import, or of one rename of a part. */
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
  /** Kind of a page. */
  kind: z.enum(['scripted', 'static']).nullable(),
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

const nameOf = (fields: unknown): string | null => (fields as { name?: string } | null)?.name ?? null

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

/** Converts a row to the change object. */
export const toChange = (row: ChangeRow): z.output<typeof Change> => ({
  id: `${row.revision}-${row.position}`,
  at: row.at.toISOString(),
  kind: row.kind,
  thing: row.thing,
  action: row.action,
  cause: row.cause,
  operation: row.operation,
  name_before: nameOf(row.before),
  name: nameOf(row.after),
  trimmed: row.trimmed_until !== null,
  actor: toActor(row),
})

/** The content type of a file or icon; null for anything else. */
const typeOf = (kind: ChangeRow['kind'], { name, digest }: StoredState): string | null => {
  if (kind === 'file') return contentTypeOf(name ?? '')
  return kind === 'space' && digest ? 'image/png' : null
}

/** Converts a stored state to the state object that callers get. */
export const toState = (
  kind: ChangeRow['kind'],
  state: StoredState,
  text: string | null,
): z.output<typeof State> => ({
  name: state.name ?? null,
  kind: state.kind ?? null,
  description: state.description ?? null,
  size: state.size ?? null,
  content_type: typeOf(kind, state),
  digest: state.digest?.toString('hex') ?? null,
  text,
})
