import { useHotkeys } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { KEPT, useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import type { DraftContent, DraftPlace } from './draft-place.ts'
import { type Restored, useKeptDraft } from './use-kept-draft.ts'

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
  const kept = useKeptDraft<F>(place, restored)
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
    // The code editor has already handled the shortcut.
    if (event.defaultPrevented) return
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
