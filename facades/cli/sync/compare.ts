import { isDeepStrictEqual } from 'node:util'
import type { Settings } from '../folder/content.ts'

/** What happened to an item on one side since the last sync. */
export type Change = 'added' | 'changed' | 'deleted'

/** An item that changed on at least one side; null for a side on which it did not change. */
export interface Difference {
  path: string
  here: Change | null
  there: Change | null
}

interface Local {
  digest: string
  settings: Settings
}

interface Known extends Local {
  version: string
}

/** Compares the folder and the space with their last sync. @returns the items that changed, by path */
export const compare = (
  local: ReadonlyMap<string, Local>,
  known: ReadonlyMap<string, Known>,
  remote: ReadonlyMap<string, { version: string }>,
): Difference[] =>
  [...new Set([...local.keys(), ...known.keys(), ...remote.keys()])]
    .sort()
    .map(path => {
      const before = known.get(path)
      const here = changeOf(before, local.get(path), isSame)
      const there = changeOf(before, remote.get(path), (one, other) => one.version === other.version)
      return { path, here, there }
    })
    .filter(({ here, there }) => here !== null || there !== null)

const isSame = (known: Known, local: Local): boolean =>
  known.digest === local.digest && isDeepStrictEqual({ ...known.settings }, { ...local.settings })

const changeOf = <Now>(
  before: Known | undefined,
  now: Now | undefined,
  isSame: (before: Known, now: Now) => boolean,
): Change | null => {
  if (before === undefined) return now === undefined ? null : 'added'
  if (now === undefined) return 'deleted'
  return isSame(before, now) ? null : 'changed'
}
