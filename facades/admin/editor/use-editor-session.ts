import { useEffect, useRef, useState } from 'react'

/** An open editor and the id of the item being edited in it. */
interface Session {
  /** React key of the editor. A changed key mounts a new editor. */
  key: number
  /** Undefined for a new item. */
  id: string | undefined
  /** Identifies the draft of a new item. */
  draft: string | undefined
  /** The id that a new item got when it was first saved. */
  createdId?: string
}

/**
 * Navigation options for changing the URL while the editor stays open: no leave warning, no scrolling, and no
 * history entry, so that Back does not lead to an empty form.
 */
export const IN_PLACE = {
  replace: true,
  ignoreBlocker: true,
  resetScroll: false,
  state: { keepsFocus: true },
} as const

const sessionFor = (session: Session, id: string | undefined, draft: string | undefined): Session => {
  if (session.id === id && (id !== undefined || session.draft === draft)) return session
  return id !== undefined && session.createdId === id
    ? { ...session, id }
    : { key: session.key + 1, id, draft }
}

/**
 * Keeps the same editor mounted when the first save of a new item changes the URL.
 *
 * @param id the id in the URL; undefined for a new item
 * @param draft the search parameter that identifies the draft of a new item
 * @param navigate called with the new id; must open the item's URL with the options `IN_PLACE`
 * @returns the editor's React key; the `id` and `draft` to open it with; and `onCreated`, to be called with the id
 * after the first save
 */
export const useEditorSession = (
  id: string | undefined,
  draft: string | undefined,
  navigate: (id: string) => void,
) => {
  const [before, setSession] = useState<Session>({ key: 0, id, draft })
  const session = sessionFor(before, id, draft)
  if (session !== before) setSession(session)
  const { key } = session
  const openKey = useRef<number>(undefined)
  useEffect(() => {
    openKey.current = key
    return () => {
      openKey.current = undefined
    }
  }, [key])
  return {
    key,
    id: session.id,
    draft: session.draft,
    onCreated: (createdId: string) => {
      // Do not navigate if the person left this editor while it was saving.
      if (openKey.current !== key) return
      setSession({ ...session, createdId })
      navigate(createdId)
    },
  }
}
