import { isDeepStrictEqual } from 'node:util'
import { mergeFields } from '../../shared/merge-fields.ts'
import { mergeLines } from '../../shared/merge-lines.ts'
import { decoded, digestOf, likeBefore, mergeable, type Settings, written } from '../folder/content.ts'

/** An item on one side. */
export interface Version {
  bytes: Uint8Array
  settings: Settings
}

/** What a pull does with an item. The folder remembers the version of the space in each case. */
export type Outcome =
  /** Both sides are equal already. */
  | { kind: 'equal' }
  /** The folder gets the version of the space, or the merge of both. */
  | { kind: 'taken' | 'merged'; bytes: Uint8Array; settings: Settings }
  | { kind: 'deleted' }
  /** The folder keeps its version; that of the space is put beside it. It is empty if the space deleted the item. */
  | { kind: 'conflict'; theirs: Uint8Array }

interface Sides {
  path: string
  /** Whether the folder changed since the last sync. */
  isChangedHere: boolean
  mine: Version | null
  theirs: Version | null
  /** The state at the last sync, with the text if it can be merged; null if there was none. */
  base: { text: string | null; digest: string; settings: Settings } | null
}

/** Decides what a pull does with an item that the space added, changed or deleted since the last sync. */
export const settle = ({ path, isChangedHere, mine, theirs, base }: Sides): Outcome => {
  if (mine === null && theirs === null) return { kind: 'equal' }
  if (!isChangedHere) {
    if (theirs === null) return { kind: 'deleted' }
    return {
      kind: 'taken',
      bytes: written(path, theirs.bytes, mine?.bytes ?? null),
      settings: theirs.settings,
    }
  }
  if (theirs === null) return { kind: 'conflict', theirs: new Uint8Array() }
  const conflict: Outcome = { kind: 'conflict', theirs: written(path, theirs.bytes, null) }
  if (mine === null) return conflict
  const settings = mergedSettings(base?.settings ?? null, mine.settings, theirs.settings)
  const bytes = mergedBytes(path, base, mine.bytes, theirs.bytes)
  if (settings === null || bytes === null) return conflict
  const isEqual =
    isDeepStrictEqual({ ...settings }, { ...mine.settings }) &&
    digestOf(path, bytes) === digestOf(path, mine.bytes)
  return isEqual ? { kind: 'equal' } : { kind: 'merged', bytes, settings }
}

const mergedBytes = (
  path: string,
  base: Sides['base'],
  mine: Uint8Array,
  theirs: Uint8Array,
): Uint8Array | null => {
  const [mineDigest, theirsDigest] = [digestOf(path, mine), digestOf(path, theirs)]
  if (mineDigest === theirsDigest || theirsDigest === base?.digest) return mine
  if (mineDigest === base?.digest) return written(path, theirs, mine)
  const [here, there] = [mergeable(path, mine), mergeable(path, theirs)]
  if (typeof base?.text !== 'string' || here === null || there === null) return null
  const merged = mergeLines(base.text, here, there)
  if (merged === null) return null
  if (path.startsWith('files/')) return Buffer.from(merged)
  return isStillJson(path, merged) ? likeBefore(merged, decoded(mine)!) : null
}

/** Two changes of a record can be on different lines and yet give something that is no JSON together. */
const isStillJson = (path: string, merged: string): boolean => {
  if (!path.startsWith('data/')) return true
  try {
    JSON.parse(merged)
    return true
  } catch {
    return false
  }
}

/** Merges settings one by one. Returns null if both sides changed one differently. */
const mergedSettings = (base: Settings | null, mine: Settings, theirs: Settings): Settings | null => {
  if (base === null) {
    // A setting that the folder leaves out is the one of the space.
    const settings = { ...theirs, ...mine }
    return isDeepStrictEqual(settings, { ...theirs }) ? settings : null
  }
  const names = [...new Set([mine, theirs].flatMap(Object.keys))]
  const texts = (settings: Settings) =>
    Object.fromEntries(names.map(name => [name, JSON.stringify(settings[name] ?? null)]))
  const { fields, conflicts } = mergeFields(texts(base), texts(mine), texts(theirs))
  if (conflicts.length > 0) return null
  return Object.fromEntries(names.map(name => [name, JSON.parse(fields[name]!) as unknown]))
}
