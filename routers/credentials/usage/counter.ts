import type { CallCounts, CountedCalls, CredentialRef, FailedCallRow } from '../../../db/queries/usage.ts'
import type { Actor } from '../../api/actor.ts'
import { batchedWrites } from '../../api/batched-writes.ts'
import type { UsageCounter } from '../../api/context.ts'
import { errors } from '../../api/errors.ts'
import type { Problem } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'

/** How long calls are collected before they are written, in ms. */
const DELAY = 5_000

/** Maximum number of credentials, and of failed calls, to collect before a write. Further ones are not recorded. */
const CAPACITY = 10_000

/** Maximum length of a stored path and of the name of a field, and maximum number of fields of a call. */
const MAX_PATH = 300
const MAX_FIELD = 60
const MAX_FIELDS = 10

/** What a process has counted since its last write. */
export interface CollectedUsage {
  calls: CountedCalls[]
  failures: (FailedCallRow & CredentialRef)[]
}

/** Returns the key or token of a caller; null for a person. */
const credentialOf = (actor: Actor): CredentialRef | null => {
  if (actor.kind === 'space_key') return { kind: 'key', id: actor.keyId }
  return actor.kind === 'user_token' ? { kind: 'token', id: actor.tokenId } : null
}

const statusOf = ({ problem }: Problem): number => errors[problem].status

const resultOf = (problem: Problem | null): keyof CallCounts => {
  if (!problem) return 'succeeded'
  if (problem.problem === 'rate_limited') return 'limited'
  return statusOf(problem) < 500 ? 'refused' : 'failed'
}

/** Shortens a text. Removes U+0000, which the database cannot store. */
const shortened = (text: string, max: number) => text.replaceAll('\0', '').slice(0, max).toWellFormed()

/**
 * Counts the calls of keys and tokens in memory and writes the figures together. A process that is killed loses the calls
 * of the last seconds. So does a write that fails: it is not repeated, because nobody knows whether the database has
 * committed it.
 *
 * @param onError called if a write fails
 */
export const usageCounter = (
  write: (collected: CollectedUsage) => Promise<void>,
  onError: (error: unknown) => void,
): UsageCounter => {
  let calls = new Map<string, CountedCalls>()
  /** The newest failed calls of each credential. */
  let failures = new Map<string, CollectedUsage['failures']>()
  let failureCount = 0

  const writePending = async () => {
    const collected = { calls: [...calls.values()], failures: [...failures.values()].flat() }
    calls = new Map()
    failures = new Map()
    failureCount = 0
    if (collected.calls.length === 0) return
    await write(collected).catch(onError)
  }
  const { schedule, flush } = batchedWrites(DELAY, writePending)

  return {
    note: (actor, { method, path, reference }, problem) => {
      const credential = credentialOf(actor)
      if (!credential) return
      const at = new Date()
      const day = at.toISOString().slice(0, 10)
      const key = `${day} ${credential.id}`
      let counts = calls.get(key)
      if (!counts) {
        if (calls.size >= CAPACITY) return
        counts = { ...credential, day, succeeded: 0, refused: 0, limited: 0, failed: 0 }
        calls.set(key, counts)
        schedule()
      }
      counts[resultOf(problem)]++
      if (!problem) return
      const own = failures.get(credential.id) ?? []
      if (own.length >= limits.failedCalls) own.shift()
      else if (failureCount++ >= CAPACITY) return
      own.push({
        ...credential,
        at,
        method,
        path: shortened(path.split('?', 1)[0]!, MAX_PATH),
        status: statusOf(problem),
        code: problem.problem,
        fields: (problem.circumstances.errors ?? [])
          .slice(0, MAX_FIELDS)
          .map(({ field }) => shortened(field, MAX_FIELD)),
        reference,
      })
      failures.set(credential.id, own)
    },
    flush,
  }
}
