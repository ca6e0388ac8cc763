import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '../session.ts'
import { DraftKeeper, openKeepers, type Rival } from './draft-keeper.ts'
import { type DraftContent, type DraftPlace, discardKept, newDraftId, readKept } from './draft-place.ts'
import { isGone, localKey, readLocal, removeLocal } from './local-draft.ts'

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

/**
 * Chooses between the draft in this browser and the draft on the service. If one of them is a later version of the
 * other, returns the later version. Otherwise, returns the draft that was changed last.
 */
const choose = <F>(
  local: Restored<F> | null,
  kept: (DraftContent<F> & { updated_at: string }) | null | undefined,
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
export const useStoredDraft = <F>({ subdomain, kind, id, draftId }: Opened) => {
  const { handle } = useSession()
  const [newId] = useState(() => draftId ?? newDraftId())
  const [initial] = useState<DraftPlace>({ subdomain, kind, thing: id ?? newId, isNew: id === undefined })
  const { data, isPending } = useQuery({
    queryKey: ['stored-draft', handle, initial],
    queryFn: async () => {
      const key = localKey(handle, initial)
      if (isGone(key)) {
        await discardKept(initial).then(
          () => removeLocal(key),
          () => {},
        )
        return null
      }
      const kept = await readKept(initial).catch(() => undefined)
      return choose(readLocal<F>(key), kept as (DraftContent<F> & { updated_at: string }) | null | undefined)
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
 * Call the returned `note` with each change, and with null when all changes are saved or discarded. `flush` sends the
 * draft now. `failure` is the error if the service could not keep the draft. `rival` describes unsaved changes of the
 * same person from another window. `replaceRival` replaces these changes.
 *
 * @param place where the draft belongs; the place changes when a new item is saved for the first time
 * @param restored the draft that the editor starts with
 */
export const useKeptDraft = <F>(place: DraftPlace, restored: Restored<F> | null) => {
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
    (content: DraftContent<F> | null) => (content ? keeper.note(content) : keeper.forget()),
    [keeper],
  )
  const flush = useCallback(() => keeper.flush(), [keeper])
  const replaceRival = useCallback(() => keeper.replaceRival(), [keeper])
  return { note, flush, failure, rival, replaceRival }
}

export type KeptDraft<F> = ReturnType<typeof useKeptDraft<F>>
