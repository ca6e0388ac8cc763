/**
 * The shortest way by which a part includes itself, as names from that part back to it; null when there is none.
 * A name that no part has ends a way: nothing is known of what it will include.
 *
 * @param start the part being written; only ways through it can be new
 * @param includes names of literal includes, by part name
 */
export const findCycle = (
  start: string,
  includes: ReadonlyMap<string, readonly string[]>,
): string[] | null => {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const name of queue) {
    for (const next of includes.get(name) ?? []) {
      if (next === start) return [...wayTo(name, cameFrom), start]
      if (cameFrom.has(next)) continue
      cameFrom.set(next, name)
      queue.push(next)
    }
  }
  return null
}

const wayTo = (name: string, cameFrom: ReadonlyMap<string, string>): string[] => {
  const way = [name]
  for (let at = cameFrom.get(name); at !== undefined; at = cameFrom.get(at)) way.unshift(at)
  return way
}
