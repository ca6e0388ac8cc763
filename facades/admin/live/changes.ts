import { useSyncExternalStore } from 'react'
import { queryClient } from '../api.ts'
import type { Change } from '../history/describe.ts'
import { sessionOptions } from '../session.ts'

/** A change that this browser has heard of. */
export interface HeardChange extends Change {
  /** When this window heard of it, or null if it was made before the window showed the space. */
  heardAt: number | null
}

/** Maximum number of changes of a space that are kept. */
const KEPT = 100

/** How long the row of a changed item is marked, in ms. */
const MARKED_FOR = 3_000

const EMPTY: readonly HeardChange[] = []

/** The changes of each space that this window has heard of, newest first. */
const heard = new Map<string, readonly HeardChange[]>()
/** The items whose rows are marked. */
const marked = new Set<string>()
const listeners = new Set<() => void>()

const tell = () => {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the signed-in person made a change in the dashboard, perhaps in another window. */
export const isMine = ({ actor }: Pick<Change, 'actor'>): boolean =>
  actor.kind === 'session' && actor.handle === queryClient.getQueryData(sessionOptions.queryKey)?.handle

const markOf = ({ kind, thing }: Pick<Change, 'kind' | 'thing'>) => `${kind} ${thing}`

/**
 * Keeps changes, and marks the rows of those that others have made.
 *
 * @param isNews whether a change was made since this window shows the space
 * @returns the changes that this window has not heard of before
 */
export const noteChanges = (
  subdomain: string,
  changes: readonly Change[],
  isNews: (change: Change) => boolean,
): HeardChange[] => {
  const before = heard.get(subdomain) ?? EMPTY
  const known = new Set(before.map(({ id }) => id))
  const added = changes
    .filter(({ id }) => !known.has(id))
    .map(change => ({ ...change, heardAt: isNews(change) ? Date.now() : null }))
  if (added.length === 0) return added
  const all = [...added, ...before].toSorted((a, b) => b.at.localeCompare(a.at))
  heard.set(subdomain, all.slice(0, KEPT))
  const toMark = added.filter(change => change.heardAt !== null && !isMine(change)).map(markOf)
  for (const mark of toMark) marked.add(mark)
  if (toMark.length > 0)
    setTimeout(() => {
      for (const mark of toMark) marked.delete(mark)
      tell()
    }, MARKED_FOR)
  tell()
  return added
}

/** The changes of a space that this window has heard of, newest first. */
export const changesOf = (subdomain: string): readonly HeardChange[] => heard.get(subdomain) ?? EMPTY

/** Returns the changes of a space that this window has heard of, newest first. */
export const useChanges = (subdomain: string): readonly HeardChange[] =>
  useSyncExternalStore(subscribe, () => changesOf(subdomain))

/** Whether someone else has just changed an item, so that its row is marked. */
export const useIsMarked = (item: Pick<Change, 'kind' | 'thing'> | undefined): boolean =>
  useSyncExternalStore(subscribe, () => item !== undefined && marked.has(markOf(item)))
