import type { CredentialUse } from '../../db/queries/credential-uses.ts'
import type { LastUsed } from '../core/context.ts'

/** Milliseconds between two writes of one key's last use, by programs of one kind. */
const RESOLUTION = 60_000
/** Milliseconds that uses are gathered before they are written together. */
const DELAY = 2_000

/**
 * @param write stores the given uses in one statement
 * @param onError hears of a write that failed; the uses in it are forgotten
 */
export const lastUsed = (
  write: (uses: CredentialUse[]) => Promise<void>,
  onError: (error: unknown) => void,
): LastUsed => {
  const pending = new Map<string, CredentialUse>()
  const written = { ofAny: new Map<string, number>(), ofAgents: new Map<string, number>() }
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const uses = [...pending.values()]
    pending.clear()
    const now = Date.now()
    for (const writtenAt of Object.values(written))
      for (const [id, at] of writtenAt) if (now - at > RESOLUTION) writtenAt.delete(id)
    for (const { id, isByAgent } of uses) {
      written.ofAny.set(id, now)
      if (isByAgent) written.ofAgents.set(id, now)
    }
    try {
      await write(uses)
    } catch (error) {
      onError(error)
    }
  }

  return {
    touch: (id, isByAgent = false) => {
      const now = Date.now()
      // An agent's first use says more than one of another program a moment before it.
      const writtenAt = (isByAgent ? written.ofAgents : written.ofAny).get(id) ?? 0
      if (now - writtenAt < RESOLUTION) return
      pending.set(id, { id, at: new Date(now), isByAgent: isByAgent || pending.get(id)?.isByAgent === true })
      timer ??= setTimeout(() => void flush(), DELAY).unref()
    },
    flush,
  }
}
