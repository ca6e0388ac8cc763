import { useEffect, useState } from 'react'

/**
 * Removes link tokens from the URL and keeps them in this tab's memory. A URL fragment is never sent to a server, but
 * it would stay in the browser history and be visible on screen.
 */

/** The views that are opened by a link with a token. */
export type LinkView = 'join' | 'link' | 'set-up'

const tokens = new Map<LinkView, string>()
const listeners = new Set<(view: LinkView, token: string) => void>()

/** Moves the token from the URL to memory. Called before the view opens. */
export const takeToken = (view: LinkView) => {
  const { hash, pathname, search } = globalThis.location
  if (hash.length <= 1) return
  const token = hash.slice(1)
  tokens.set(view, token)
  globalThis.history.replaceState(globalThis.history.state, '', pathname + search)
  for (const listener of listeners) listener(view, token)
}

/**
 * Returns the token of the link that opened the view, or of a newer link that has since been opened in the same tab.
 * Null after a reload, or if the URL had no token.
 */
export const useToken = (view: LinkView): string | null => {
  const [token, setToken] = useState(() => tokens.get(view) ?? null)
  useEffect(() => {
    const listener = (openedView: LinkView, newToken: string) => {
      if (openedView === view) setToken(newToken)
    }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [view])
  return token
}

/** Deletes a used token. The open view keeps its copy. */
export const dropToken = (view: LinkView) => void tokens.delete(view)
