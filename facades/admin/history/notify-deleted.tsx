import { rpc } from '../api.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { counted } from '../ui/numbers.ts'
import { offerUndo } from '../ui/offer-undo.tsx'
import type { ChangeKind } from '../view-search.ts'
import { isNameTaken } from './use-restore.ts'

interface Deleted {
  subdomain: string
  kind: ChangeKind
  /** The id of the deleted item, a record's key, or the name of a setting. */
  thing: string
  /** What was deleted, such as "Page about-us". */
  title: string
  /** The word for what happened to the item; "deleted" by default. */
  verb?: string
}

/**
 * Restores an item if its last change deleted it.
 *
 * @param onFound called with the id of the deletion
 * @returns false if there was nothing to restore
 */
const restoreDeleted = async (
  { subdomain, kind, thing }: Pick<Deleted, 'subdomain' | 'kind' | 'thing'>,
  onFound?: (deletion: string) => void,
): Promise<boolean> => {
  const { changes } = await rpc.history.list.query({ subdomain, kind, thing })
  const [last] = changes
  if (last?.action !== 'delete') return false
  onFound?.(last.id)
  // Someone else may restore the item at the same time, so restore it only if it is still deleted.
  const { operation } = await rpc.history.restore.mutate({
    subdomain,
    change_id: last.id,
    side: 'before',
    only_if_deleted: true,
  })
  return operation !== null
}

/** Shows a notification that an item was deleted, and offers to undo the deletion. */
export const notifyDeleted = ({ subdomain, kind, thing, title, verb }: Deleted): void => {
  /** The id of the change that deleted the item; known once the person has tried to undo it. */
  let deletion: string | undefined
  offerUndo({
    title,
    verb,
    undo: () =>
      restoreDeleted({ subdomain, kind, thing }, id => {
        deletion = id
      }),
    explain: failure => (isNameTaken(failure) ? `Another ${kind} has its name now.` : null),
    link: () =>
      deletion === undefined ? (
        <TextLink size="sm" to="/spaces/$subdomain/history" params={{ subdomain }} search={{ kind, thing }}>
          History
        </TextLink>
      ) : (
        <TextLink
          size="sm"
          to="/spaces/$subdomain/history/$changeId"
          params={{ subdomain, changeId: deletion }}
        >
          Restore from the history
        </TextLink>
      ),
  })
}

/** Shows a notification that several items were deleted, and offers to restore all of them. */
export const notifyManyDeleted = (
  subdomain: string,
  kind: 'page' | 'record' | 'file',
  ids: readonly string[],
): void => {
  // A retry skips the items that an earlier attempt has restored.
  const waiting = new Set(ids)
  let restored = 0
  offerUndo({
    title: counted(ids.length, kind),
    isPlural: true,
    undo: async () => {
      for (const thing of waiting) {
        if (await restoreDeleted({ subdomain, kind, thing })) restored += 1
        waiting.delete(thing)
      }
      return restored > 0
    },
    link: () => (
      <TextLink size="sm" to="/spaces/$subdomain/history" params={{ subdomain }} search={{ kind }}>
        History
      </TextLink>
    ),
  })
}
