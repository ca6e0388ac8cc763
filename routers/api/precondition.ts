import { createHash } from 'node:crypto'
import { Problem } from './problem.ts'

/** Entity tags without their quotes; `*` matches any current version. */
export type Tags = '*' | readonly string[]

/** What must be true of the current version for a write to take effect (RFC 9110, section 13). */
export interface Precondition {
  /** The current version must have one of these tags. Empty if the caller sent no tag that can match. */
  ifMatch?: Tags
  /** The current version must have none of these tags. */
  ifNoneMatch?: Tags
  /** The current version must be the one that the caller of a tool has read: its `updated_at`, or a record's `version`. */
  base?: string | number
}

/** What a precondition can be about. */
type Kind = 'page' | 'part' | 'file' | 'record' | 'post' | 'comment'

/** The fields of a stored item that determine its tag. Callers get `updated_at` as text. */
export interface Version<Time = Date> {
  updated_at: Time
  /** The version number, which only records have. */
  version?: number
}

/**
 * Returns the entity tag of a version. `updated_at` never repeats (see `after`), except when a record is deleted and
 * created again within a millisecond; the version number then tells the two apart.
 */
export const tagOf = ({ updated_at, version }: Version<Date | string>): string =>
  `${version === undefined ? '' : `${version}-`}${new Date(updated_at).getTime().toString(36)}`

/** The fields of an account that determine its tag. */
export interface Profile {
  handle: string
  display_name: string | null
  icon_url: string | null
  bio: string | null
}

/** Returns the entity tag of an account, which has no time of its last change. */
export const accountTagOf = ({ handle, display_name, icon_url, bio }: Profile): string =>
  createHash('sha256')
    .update(JSON.stringify([handle, display_name, icon_url, bio]))
    .digest('base64url')
    .slice(0, 22)

/** Whether `tags` include a tag. Null stands for a resource that does not exist. */
export const includesTag = (tags: Tags, tag: string | null): boolean =>
  tag !== null && (tags === '*' || tags.includes(tag))

/**
 * Refuses a write whose precondition does not hold. Call this function under the lock of the write.
 *
 * @param current the version that the write would replace; null when there is none
 * @param what what is written
 * @throws `precondition_failed`, or `version_conflict` for another `base`
 */
export const requirePrecondition = (
  precondition: Precondition = {},
  current: Version | null,
  what: Kind,
): void => {
  const { base } = precondition
  if (base !== undefined && current) requireBase(base, current, `The ${what}`)
  requireTag(precondition, current && tagOf(current))
}

/**
 * Refuses a write whose precondition does not hold.
 *
 * @param tag the tag of the version that the write would replace; null when there is none
 * @throws `precondition_failed`
 */
export const requireTag = ({ ifMatch, ifNoneMatch }: Precondition, tag: string | null): void => {
  if (ifMatch && !includesTag(ifMatch, tag))
    throw new Problem('precondition_failed', { detail: mismatch(ifMatch, tag) })
  if (ifNoneMatch && includesTag(ifNoneMatch, tag))
    throw new Problem('precondition_failed', {
      detail: 'The resource has a tag that `If-None-Match` excludes.',
    })
}

/**
 * Refuses a write of something that has no versions, such as a like or a list to which something is added, if the caller
 * requires a version, or that nothing exists. A condition is never ignored, because the caller relies on it.
 *
 * @throws `precondition_failed`
 */
export const refuseCondition = ({ ifMatch, ifNoneMatch }: Precondition): void => {
  if (ifMatch)
    throw new Problem('precondition_failed', { detail: 'This resource has no `ETag`; leave out `If-Match`.' })
  if (ifNoneMatch === '*')
    throw new Problem('precondition_failed', {
      detail: 'The resource at this path exists already; leave out `If-None-Match`.',
    })
}

/**
 * Refuses a change or deletion whose precondition does not hold. Call this function under the lock of the write.
 *
 * @param read reads the version to write; called only if there is a precondition. If the resource does not exist, the
 * write itself reports that.
 * @throws `precondition_failed`, or `version_conflict` for another `base`
 */
export const requirePreconditionOf = async (
  precondition: Precondition | undefined,
  read: () => Promise<Version | undefined>,
  what: Kind,
): Promise<void> => {
  const current = precondition && (await read())
  if (current) requirePrecondition(precondition, current, what)
}

/**
 * Requires that the current version is the one that the caller has read.
 *
 * @param what names the item at the beginning of a sentence
 * @throws `version_conflict`
 */
export const requireBase = (base: string | number, { version, updated_at }: Version, what: string): void => {
  const current = updated_at.toISOString()
  if (base === (typeof base === 'number' ? version : current)) return
  throw new Problem('version_conflict', {
    detail:
      typeof base === 'number' ? `The current version is ${version}.` : `${what} was changed at ${current}.`,
  })
}

/**
 * Requires that an item is still as the caller has read it: with this `updated_at`, or absent if `base` is null.
 * Requires nothing without a `base`.
 *
 * @param what names the item at the beginning of a sentence
 * @throws `version_conflict`
 */
export const requireRead = (
  base: string | null | undefined,
  stored: Version | null | undefined,
  what: string,
): void => {
  if (base === undefined) return
  if (base !== null && stored) requireBase(base, stored, what)
  else if (base !== null) throw new Problem('version_conflict', { detail: `${what} no longer exists.` })
  else if (stored) throw new Problem('version_conflict', { detail: `${what} exists already.` })
}

const mismatch = (ifMatch: Tags, tag: string | null): string => {
  if (ifMatch.length === 0)
    return 'No tag in `If-Match` is valid. Send `*`, or copy the tag from the `ETag` header: in double quotes, without `W/`.'
  return tag === null ? 'The resource does not exist.' : 'The resource was changed after you read it.'
}

/**
 * Returns the time of a change: now, but always later than the previous change, even within one millisecond or after
 * the clock was set back.
 */
export const after = (previous: Date): Date => new Date(Math.max(Date.now(), previous.getTime() + 1))
