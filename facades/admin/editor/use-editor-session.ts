import { useEffect, useRef, useState } from 'react'

/** An open editor and what it edits. */
interface Session {
  /** React key of the editor; another key mounts another editor. */
  key: number
  /** Undefined for something new. */
  id: string | undefined
  /** The id that something new got when it was first saved. */
  createdId?: string
}

/**
 * Navigation options that change the address under an open editor: no leave warning, no scrolling, and no history
 * entry, so that Back does not lead to an empty form.
 */
export const IN_PLACE = {
  replace: true,
  ignoreBlocker: true,
  resetScroll: false,
  state: { keepsFocus: true },
} as const

const sessionFor = (session: Session, id: string | undefined): Session => {
  if (session.id === id) return session
  return id !== undefined && session.createdId === id ? { ...session, id } : { key: session.key + 1, id }
}

/**
 * Keeps the same editor mounted when the first save of something new changes the address.
 *
 * @param id from the address; undefined for something new
 * @param navigate called with the new id; goes to its address with the options `IN_PLACE`
 * @returns the editor's React key, and `onCreated`, to be called with the id after the first save
 */
export const useEditorSession = (id: string | undefined, navigate: (id: string) => void) => {
  const [before, setSession] = useState<Session>({ key: 0, id })
  const session = sessionFor(before, id)
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
    onCreated: (createdId: string) => {
      // Do not navigate back to an editor that was left while it was saving.
      if (openKey.current !== key) return
      setSession({ ...session, createdId })
      navigate(createdId)
    },
  }
}
