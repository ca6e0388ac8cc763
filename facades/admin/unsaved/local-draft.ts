import type { DraftContent, DraftPlace } from './draft-place.ts'

/** A draft in this browser's storage. */
export interface LocalDraft<F> {
  content: DraftContent<F>
  /** When it was last changed, by this browser's clock. */
  at: string
  /** When the service last stored this draft, as far as the editor knows; null if the service has not stored it. */
  kept: string | null
  /** Whether the service has this version. */
  isSent: boolean
  /** The id of the editor that wrote it; missing in drafts of earlier versions. */
  editor?: string
}

const PREFIX = 'draft:'

/** The storage key of a draft. Accounts that share a browser don't see each other's drafts. */
export const localKey = (account: string, { subdomain, kind, thing }: DraftPlace): string =>
  `${PREFIX}${account.toLowerCase()}:${subdomain ?? ''}:${kind}:${thing}`

/** Stored in place of a draft that was saved or discarded, until the service has deleted its copy. */
const GONE = 'gone'

/** Reads a draft; null if there is none or the storage is blocked. */
export const readLocal = <F>(key: string): LocalDraft<F> | null => {
  try {
    const text = localStorage.getItem(key)
    return text === null || text === GONE ? null : (JSON.parse(text) as LocalDraft<F>)
  } catch {
    return null
  }
}

/** Records that the service should delete a draft, in case the tab is closed before the request is sent. */
export const markGone = (key: string): void => {
  try {
    localStorage.setItem(key, GONE)
  } catch {
    // The storage is blocked, so the mark is not stored. If the tab is closed before the service receives the request
    // to delete the draft, the service keeps the draft.
  }
}

/** Whether the service should delete a draft. */
export const isGone = (key: string): boolean => {
  try {
    return localStorage.getItem(key) === GONE
  } catch {
    return false
  }
}

/** Stores a draft. If the storage is full, first removes drafts that the service has too. */
export const writeLocal = (key: string, draft: LocalDraft<unknown>): void => {
  const text = JSON.stringify(draft)
  try {
    localStorage.setItem(key, text)
  } catch {
    removeSent()
    try {
      localStorage.setItem(key, text)
    } catch {
      // The storage is blocked, or the draft is larger than the whole storage. The service still keeps the draft.
    }
  }
}

export const removeLocal = (key: string): void => {
  try {
    localStorage.removeItem(key)
  } catch {
    // The storage is blocked, so nothing was stored.
  }
}

/**
 * Removes the drafts that the service has too.
 *
 * @param account removes only the drafts of this account; if omitted, removes the drafts of all accounts
 */
export const removeSent = (account?: string): void => {
  const prefix = account === undefined ? PREFIX : `${PREFIX}${account.toLowerCase()}:`
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(prefix) && !isGone(key) && readLocal(key)?.isSent !== false)
        localStorage.removeItem(key)
  } catch {
    // The storage is blocked, so nothing was stored.
  }
}
