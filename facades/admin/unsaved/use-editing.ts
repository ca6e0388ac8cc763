import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSession } from '../session.ts'
import { KEPT, useLeaveGuard } from '../ui/use-leave-guard.tsx'
import { DraftKeeper, openKeepers, type Rival } from './draft-keeper.ts'
import { type DraftContent, type DraftPlace, discardKept, newDraftId, readKept } from './draft-place.ts'
import { isGone, type LocalDraft, localKey, readLocal, removeLocal } from './local-draft.ts'

interface Editing<F> {
  /** Where the draft belongs; it changes when a new item is saved for the first time. */
  place: DraftPlace
  /** The draft that the editor starts with. */
  restored: Restored<F> | null
  /** When the changes that the editor restored were made; null if it restored none. */
  restoredAt: string | null
  isUnsaved: boolean
  /** Returns the changes to keep. */
  content: () => DraftContent<F>
  /** The changes are kept again whenever one of these values changes. */
  changes: readonly unknown[]
  /** Called on Ctrl+S or Cmd+S, instead of the browser's "Save page" dialog. */
  save: () => void
  /** Whether the view that resolves a conflict is open. */
  hasConflict: boolean
  /** Called when that view closes, to move the focus back to the editor. */
  focus: () => void
}

/**
 * What all editors do with unsaved changes: keep them as a draft, ask before the person leaves, save on a key press,
 * and return the focus after a conflict.
 *
 * @returns `kept`, the state of the kept draft; `restoredAt`, when the restored changes were made, or null once they
 * are saved or discarded; and `guard`, a dialog to render
 */
export const useEditing = <F>(editing: Editing<F>) => {
  const { place, restored, isUnsaved, content, changes, save, hasConflict } = editing
  const kept = useAutosave<F>(place, restored)
  const { note } = kept
  const [restoredAt, setRestoredAt] = useState(editing.restoredAt)
  const keep = useEffectEvent(() => {
    note(isUnsaved ? content() : null)
    if (!isUnsaved) setRestoredAt(null)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every change, and when the item gets its id
  useEffect(() => keep(), [note, isUnsaved, ...changes])
  const guard = useLeaveGuard(isUnsaved, KEPT)
  const onKey = (event: KeyboardEvent) => {
    // The editor in which the shortcut was pressed may have handled it. Another view that is open has not: each saves
    // its own item.
    const isInCode =
      event.target instanceof Element && event.target.closest('.cm-editor, .ProseMirror') !== null
    if (event.defaultPrevented && isInCode) return
    event.preventDefault()
    save()
  }
  useHotkeys([['mod+S', onKey, { preventDefault: false }]], [], true)
  const hadConflict = useRef(hasConflict)
  const focus = useEffectEvent(editing.focus)
  useEffect(() => {
    if (hadConflict.current && !hasConflict) focus()
    hadConflict.current = hasConflict
  }, [hasConflict])
  return { kept, restoredAt, guard }
}

/** A draft that an editor continues. */
export interface Restored<F> {
  content: DraftContent<F>
  /** When it was last changed. */
  at: string
  /** When the service last stored the draft; null if only this browser has the draft. */
  kept: string | null
  /** Whether the service has this version. */
  isSent: boolean
}

type KeptDraft<F> = DraftContent<F> & { updated_at: string; editor?: string }

/**
 * Chooses between the draft in this browser and the draft on the service. If one of them is a later version of the
 * other, returns the later version. Otherwise, returns the draft that was changed last.
 */
const choose = <F>(
  local: LocalDraft<F> | null,
  kept: KeptDraft<F> | null | undefined,
): Restored<F> | null => {
  const remote: Restored<F> | null = kept
    ? {
        content: { fields: kept.fields, base: kept.base },
        at: kept.updated_at,
        kept: kept.updated_at,
        isSent: true,
      }
    : null
  if (!local) return remote
  // `undefined` means that the service did not respond. `null` means that it has no draft: if it had one before,
  // that draft was saved or discarded elsewhere.
  if (kept === undefined) return local
  if (!remote) return local.kept === null || !local.isSent ? { ...local, kept: null, isSent: false } : null
  // The service may have kept an earlier version of the same editor without the editor hearing of it.
  const isSameEditor = local.editor !== undefined && local.editor === kept?.editor
  if (!local.isSent && isSameEditor) return { ...local, kept: remote.kept }
  return local.kept === remote.kept || (!local.isSent && local.at > remote.at) ? local : remote
}

interface Opened extends Pick<DraftPlace, 'subdomain' | 'kind'> {
  /** The item's id or key; undefined for a new item. */
  id: string | undefined
  /** Identifies the draft of a new item; undefined to start a new draft. */
  draftId: string | undefined
}

/**
 * Reads the draft of an item when its editor opens.
 *
 * @returns `newId`, which identifies the draft of a new item; and `restored`, which is undefined while the draft loads,
 * then the draft or null
 */
export const useLoadedDraft = <F>({ subdomain, kind, id, draftId }: Opened) => {
  const { handle } = useSession()
  const [newId] = useState(() => draftId ?? newDraftId())
  const [initial] = useState<DraftPlace>({ subdomain, kind, thing: id ?? newId, isNew: id === undefined })
  const { data, isPending } = useQuery({
    // Each editor reads for itself: the draft can change in another one that closes as this one opens.
    queryKey: ['stored-draft', handle, initial, newId],
    queryFn: async () => {
      const key = localKey(handle, initial)
      if (isGone(key)) {
        await discardKept(initial).then(
          () => removeLocal(key),
          () => {},
        )
        return null
      }
      const seen = JSON.stringify(readLocal<F>(key))
      let kept = await readKept(initial).catch(() => undefined)
      // The service may have got what an editor that has just closed sent only after it had answered.
      if (JSON.stringify(readLocal<F>(key)) !== seen) kept = await readKept(initial).catch(() => undefined)
      return choose(readLocal<F>(key), kept as KeptDraft<F> | null | undefined)
    },
    // Read the draft only once. From then on, the editor owns the text.
    staleTime: 'static',
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return { newId, restored: isPending ? undefined : (data ?? null) }
}

/**
 * Keeps the draft of the item that an editor shows.
 *
 * Call the returned `note` with each change, and with null when all changes are saved or discarded; then `savedAs` is the
 * id that a new item got. `flush` sends the
 * draft now. `failure` is the error if the service could not keep the draft. `rival` describes unsaved changes of the
 * same person from another window. `replaceRival` replaces these changes.
 *
 * @param place where the draft belongs; the place changes when a new item is saved for the first time
 * @param restored the draft that the editor starts with
 */
export const useAutosave = <F>(place: DraftPlace, restored: Restored<F> | null) => {
  const { handle } = useSession()
  const [failure, setFailure] = useState<unknown>(null)
  const [rival, setRival] = useState<Rival | null>(null)
  const current = useRef<{ key: string; keeper: DraftKeeper<F> }>(undefined)
  const key = localKey(handle, place)
  if (current.current?.key !== key) {
    // The item has just been saved for the first time, so delete the draft that it had as a new item.
    current.current?.keeper.forget()
    const start = current.current ? null : restored
    current.current = { key, keeper: new DraftKeeper<F>(place, key, start, setFailure, setRival) }
  }
  const { keeper } = current.current

  useEffect(() => {
    const flush = () => void keeper.flush().catch(() => {})
    const flushHidden = () => {
      if (document.visibilityState === 'hidden') flush()
    }
    openKeepers.add(keeper)
    window.addEventListener('pagehide', flush)
    window.addEventListener('online', flush)
    document.addEventListener('visibilitychange', flushHidden)
    return () => {
      openKeepers.delete(keeper)
      window.removeEventListener('pagehide', flush)
      window.removeEventListener('online', flush)
      document.removeEventListener('visibilitychange', flushHidden)
      flush()
    }
  }, [keeper])

  const note = useCallback(
    (content: DraftContent<F> | null, savedAs?: string) =>
      content ? keeper.note(content) : keeper.forget(savedAs),
    [keeper],
  )
  const flush = useCallback(() => keeper.flush(), [keeper])
  const replaceRival = useCallback(() => keeper.replaceRival(), [keeper])
  return { note, flush, failure, rival, replaceRival }
}

export type Autosave<F> = ReturnType<typeof useAutosave<F>>
