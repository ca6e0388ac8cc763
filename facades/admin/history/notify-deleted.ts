import { client } from '../api.ts'
import { offerUndo } from '../feedback/offer-undo.tsx'
import type { ChangeKind } from './history-search.ts'

interface Deleted {
  subdomain: string
  kind: ChangeKind
  /** The id of the deleted item, a record's key, or the name of a setting. */
  thing: string
  /** What was deleted, such as "Page about-us". */
  title: string
  /** What happened to it; "deleted" by default. */
  verb?: string
}

/** Restores an item that was just deleted. */
const bringBack = async ({ subdomain, kind, thing }: Deleted) => {
  const { changes } = await client.history.list.query({ subdomain, kind, thing })
  const [last] = changes
  if (last?.action === 'delete')
    await client.history.restore.mutate({ subdomain, change_id: last.id, side: 'before' })
}

/** Shows a notification that an item was deleted, and offers to undo that. */
export const notifyDeleted = (deleted: Deleted): void =>
  offerUndo({
    id: `deleted ${deleted.kind} ${deleted.thing}`,
    title: deleted.title,
    verb: deleted.verb,
    undo: () => bringBack(deleted),
  })
