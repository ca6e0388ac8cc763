/**
 * Returns the shortest cycle of includes through a part, as the names from that part back to itself; null if there is
 * none. Names without a part are ignored.
 *
 * @param start the part being written; only cycles through it can be new
 * @param includes maps the name of each part to the names of the parts that it includes by a literal name
 */
export const findCycle = (
  start: string,
  includes: ReadonlyMap<string, readonly string[]>,
): string[] | null => {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const name of queue) {
    for (const next of includes.get(name) ?? []) {
      if (next === start) return [...pathTo(name, cameFrom), start]
      if (cameFrom.has(next)) continue
      cameFrom.set(next, name)
      queue.push(next)
    }
  }
  return null
}

const pathTo = (name: string, cameFrom: ReadonlyMap<string, string>): string[] => {
  const path = [name]
  for (let at = cameFrom.get(name); at !== undefined; at = cameFrom.get(at)) path.unshift(at)
  return path
}
