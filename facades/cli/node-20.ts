/** Functions that the shared code uses and that Node.js 20 lacks. */

/** Adds functions that an object does not have. */
const complete = (target: object, missing: Record<string, (...args: never[]) => unknown>): void => {
  for (const [name, value] of Object.entries(missing))
    if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true })
}

complete(Promise, {
  withResolvers: () => {
    let settle = {}
    const promise = new Promise((resolve, reject) => {
      settle = { resolve, reject }
    })
    return { promise, ...settle }
  },
})

complete(Map, {
  groupBy: (items: Iterable<unknown>, keyOf: (item: unknown, index: number) => unknown) => {
    const groups = new Map<unknown, unknown[]>()
    let index = 0
    for (const item of items) {
      const key = keyOf(item, index++)
      groups.set(key, [...(groups.get(key) ?? []), item])
    }
    return groups
  },
})

complete(URL, {
  parse: (url: string, base?: string) => (URL.canParse(url, base) ? new URL(url, base) : null),
})

complete(process, {
  // Of the whole process, in which other threads do little.
  threadCpuUsage: (previous?: NodeJS.CpuUsage) => process.cpuUsage(previous),
})
