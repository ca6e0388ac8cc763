/** Maximum edit distance between a misspelled name and a suggestion. */
const MAX_DISTANCE = 2

/** Returns the candidate closest to a misspelled name, or undefined if none is close. */
export function closestTo(name: string, candidates: Iterable<string>): string | undefined {
  let closest: string | undefined
  let least = Math.min(MAX_DISTANCE, Math.floor(name.length / 2)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least) continue
    const distance = editDistance(name, candidate)
    if (distance < least) {
      least = distance
      closest = candidate
    }
  }
  return closest
}

/** Returns the number of insertions, deletions and substitutions that turn one string into the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const substituted = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1)
      current.push(Math.min(previous[column]! + 1, current[column - 1]! + 1, substituted))
    }
    previous = current
  }
  return previous[to.length]!
}
