import { useEffect, useState } from 'react'

/**
 * The secrets of links, out of the address bar and in this tab's memory alone. A fragment is sent to nobody, but it
 * stays in the history and shows over people's shoulders.
 */

/** The views that links with a secret lead to. */
export type LinkView = 'join' | 'link' | 'set-up'

const tokens = new Map<LinkView, string>()
const listeners = new Set<(view: LinkView, token: string) => void>()

/** Takes the secret out of the address as soon as the view is about to open. */
export const takeToken = (view: LinkView) => {
  const { hash, pathname, search } = globalThis.location
  if (hash.length <= 1) return
  const token = hash.slice(1)
  tokens.set(view, token)
  globalThis.history.replaceState(globalThis.history.state, '', pathname + search)
  for (const hear of listeners) hear(view, token)
}

/**
 * The secret with which the view was opened, also when another link is opened in its place; null after a reload, or
 * when the address came without.
 */
export const useToken = (view: LinkView): string | null => {
  const [token, setToken] = useState(() => tokens.get(view) ?? null)
  useEffect(() => {
    const hear = (of: LinkView, taken: string) => {
      if (of === view) setToken(taken)
    }
    listeners.add(hear)
    return () => void listeners.delete(hear)
  }, [view])
  return token
}

/** Forgets a secret that has done its work; the view that used it goes on. */
export const dropToken = (view: LinkView) => void tokens.delete(view)
