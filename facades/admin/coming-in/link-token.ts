/**
 * The secrets of links, out of the address bar and in this tab's memory alone. A fragment is sent to nobody, but it
 * stays in the history and shows over people's shoulders.
 */

/** The views that links with a secret lead to. */
export type LinkView = 'join' | 'link' | 'set-up'

const tokens = new Map<LinkView, string>()

/** Takes the secret out of the address as soon as the view is about to open. */
export const takeToken = (view: LinkView) => {
  const { hash, pathname, search } = globalThis.location
  if (hash.length <= 1) return
  tokens.set(view, hash.slice(1))
  globalThis.history.replaceState(globalThis.history.state, '', pathname + search)
}

/** The secret with which the view was opened; null after a reload, or when the address came without. */
export const tokenFor = (view: LinkView): string | null => tokens.get(view) ?? null

/** Forgets a secret that has done its work. */
export const dropToken = (view: LinkView) => void tokens.delete(view)
