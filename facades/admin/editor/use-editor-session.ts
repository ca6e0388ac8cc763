import { useEffect, useRef, useState } from 'react'

/** What is being written, and in which editor. */
interface Session {
  /** Another one is another editor. */
  key: number
  /** Undefined while it is new. */
  id: string | undefined
  /** What the new thing in this editor has become. */
  became?: string
}

/** How an address is taken by a view that stays: nobody leaves, and Back does not lead to an empty form. */
export const IN_PLACE = {
  replace: true,
  ignoreBlocker: true,
  resetScroll: false,
  state: { keepsFocus: true },
} as const

const sessionFor = (session: Session, id: string | undefined): Session => {
  if (session.id === id) return session
  return id !== undefined && session.became === id ? { ...session, id } : { key: session.key + 1, id }
}

/**
 * The editor that belongs to an address: a new thing keeps its editor when its first saving gives it an address.
 *
 * @param id of what the address names; undefined for a new thing
 * @param go leads to the address of what has just been made, with the options `IN_PLACE`
 * @returns `key` of the editor, and what it is to call with the id of what it has made
 */
export const useEditorSession = (id: string | undefined, go: (id: string) => void) => {
  const [before, setSession] = useState<Session>({ key: 0, id })
  const session = sessionFor(before, id)
  if (session !== before) setSession(session)
  const { key } = session
  const shown = useRef<number>(undefined)
  useEffect(() => {
    shown.current = key
    return () => {
      shown.current = undefined
    }
  }, [key])
  return {
    key,
    id: session.id,
    onCreated: (made: string) => {
      // Whoever has left the editor meanwhile is not led back to it.
      if (shown.current !== key) return
      setSession({ ...session, became: made })
      go(made)
    },
  }
}
