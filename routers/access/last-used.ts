/** Milliseconds between two writes of one key's last use. */
const RESOLUTION = 60_000
/** Milliseconds that uses are gathered before they are written together. */
const DELAY = 2_000

/** Remembers when credentials were last used, without a write on any caller's path. */
export interface LastUsed {
  touch(id: string): void
  /** Writes what is pending; for the moment before the process ends. */
  flush(): Promise<void>
}

/**
 * @param write stores the given uses in one statement
 * @param onError hears of a write that failed; the uses in it are forgotten
 */
export const lastUsed = (
  write: (uses: { id: string; at: Date }[]) => Promise<void>,
  onError: (error: unknown) => void,
): LastUsed => {
  const pending = new Map<string, Date>()
  const writtenAt = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const uses = [...pending].map(([id, at]) => ({ id, at }))
    pending.clear()
    const now = Date.now()
    for (const [id, at] of writtenAt) if (now - at > RESOLUTION) writtenAt.delete(id)
    for (const { id } of uses) writtenAt.set(id, now)
    try {
      await write(uses)
    } catch (error) {
      onError(error)
    }
  }

  return {
    touch: id => {
      const now = Date.now()
      if (now - (writtenAt.get(id) ?? 0) < RESOLUTION) return
      pending.set(id, new Date(now))
      timer ??= setTimeout(() => void flush(), DELAY).unref()
    },
    flush,
  }
}
