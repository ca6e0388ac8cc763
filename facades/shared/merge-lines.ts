/** A place where two texts differ: lines `start` to `end` of the first text became `lines`. */
export interface Hunk {
  start: number
  end: number
  lines: string[]
}

/**
 * Maximum number of lines in which two texts may differ after their common beginning and end. Beyond it, everything
 * between these counts as one difference, because the comparison takes time and memory with the square of the number.
 */
const MAX_DIFFERENCES = 1_000

/** Splits text into lines, which keep their line breaks. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Returns the places where two texts differ, in order. Between two places is at least one equal line. */
export const differences = (from: readonly string[], to: readonly string[]): Hunk[] => {
  let start = 0
  while (start < from.length && start < to.length && from[start] === to[start]) start++
  let fromEnd = from.length
  let toEnd = to.length
  while (fromEnd > start && toEnd > start && from[fromEnd - 1] === to[toEnd - 1]) {
    fromEnd--
    toEnd--
  }
  if (start === fromEnd && start === toEnd) return []
  const pairs = equalLines(from.slice(start, fromEnd), to.slice(start, toEnd))
  const hunks: Hunk[] = []
  let [i, j] = [start, start]
  for (const [x, y] of [...pairs, [fromEnd - start, toEnd - start] as const]) {
    if (start + x > i || start + y > j)
      hunks.push({ start: i, end: start + x, lines: to.slice(j, start + y) })
    i = start + x + 1
    j = start + y + 1
  }
  return hunks
}

/** Finds a longest sequence of lines that both texts have, as pairs of indexes (Myers, "An O(ND) Difference Algorithm"). */
const equalLines = (from: readonly string[], to: readonly string[]): (readonly [number, number])[] => {
  const max = Math.min(from.length + to.length, MAX_DIFFERENCES)
  const reach = new Int32Array(2 * max + 3)
  const at = (diagonal: number) => diagonal + max + 1
  const steps: Int32Array[] = []
  const isDown = (reached: Int32Array, diagonal: number, depth: number) =>
    diagonal === -depth || (diagonal !== depth && reached[at(diagonal - 1)]! < reached[at(diagonal + 1)]!)
  for (let depth = 0; depth <= max; depth++) {
    steps.push(reach.slice())
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      let x = isDown(reach, diagonal, depth) ? reach[at(diagonal + 1)]! : reach[at(diagonal - 1)]! + 1
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x++
      reach[at(diagonal)] = x
      if (x >= from.length && x - diagonal >= to.length)
        return trace(steps, from.length, to.length, at, isDown)
    }
  }
  return []
}

const trace = (
  steps: readonly Int32Array[],
  fromLength: number,
  toLength: number,
  at: (diagonal: number) => number,
  isDown: (reached: Int32Array, diagonal: number, depth: number) => boolean,
): (readonly [number, number])[] => {
  const pairs: (readonly [number, number])[] = []
  let [x, y] = [fromLength, toLength]
  for (let depth = steps.length - 1; depth >= 0; depth--) {
    const reached = steps[depth]!
    const diagonal = x - y
    const before = isDown(reached, diagonal, depth) ? diagonal + 1 : diagonal - 1
    const fromX = depth === 0 ? 0 : reached[at(before)]!
    const fromY = depth === 0 ? 0 : fromX - before
    while (x > fromX && y > fromY) pairs.push([--x, --y])
    ;[x, y] = [fromX, fromY]
  }
  return pairs.toReversed()
}

/**
 * Merges two changes of a text line by line. Two changes of the same line, or of lines beside each other, are only merged
 * if they are equal.
 *
 * @param base the text from which both sides started
 * @returns null if both sides changed the same place differently
 */
export const mergeLines = (base: string, mine: string, theirs: string): string | null => {
  const lines = linesOf(base)
  const sides = [mine, theirs].map(text => differences(lines, linesOf(text)))
  const next = [0, 0]
  const merged: string[] = []
  let at = 0
  for (;;) {
    const [one, other] = sides.map((hunks, side) => hunks[next[side]!]) as [Hunk?, Hunk?]
    if (!one && !other) break
    const start = Math.min(one?.start ?? Number.POSITIVE_INFINITY, other?.start ?? Number.POSITIVE_INFINITY)
    const groups: [Hunk[], Hunk[]] = [[], []]
    let end = start
    for (let grew = true; grew; ) {
      grew = false
      for (const side of [0, 1] as const) {
        const hunk = sides[side]![next[side]!]
        if (!hunk || hunk.start > end) continue
        groups[side].push(hunk)
        next[side]!++
        end = Math.max(end, hunk.end)
        grew = true
      }
    }
    const [mineThere, theirsThere] = groups.map(hunks => replaced(lines, start, end, hunks)) as [
      string,
      string,
    ]
    if (groups[0].length > 0 && groups[1].length > 0 && mineThere !== theirsThere) return null
    merged.push(...lines.slice(at, start), groups[0].length > 0 ? mineThere : theirsThere)
    at = end
  }
  return [...merged, ...lines.slice(at)].join('')
}

/** Returns the lines `start` to `end` with the differences of one side. */
const replaced = (lines: readonly string[], start: number, end: number, hunks: readonly Hunk[]): string => {
  const result: string[] = []
  let at = start
  for (const hunk of hunks) {
    result.push(...lines.slice(at, hunk.start), ...hunk.lines)
    at = hunk.end
  }
  return [...result, ...lines.slice(at, end)].join('')
}
