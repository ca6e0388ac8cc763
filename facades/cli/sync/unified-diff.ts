import { differences, type Hunk, linesOf } from '../../shared/merge-lines.ts'

/** Number of equal lines around each difference. */
const CONTEXT = 3

/** Returns the differences between two texts in the unified format, without a head. */
export const unifiedDiff = (from: string, to: string): string => {
  const lines = linesOf(from)
  const groups: Hunk[][] = []
  for (const hunk of differences(lines, linesOf(to))) {
    const last = groups.at(-1)?.at(-1)
    if (last && hunk.start - last.end <= 2 * CONTEXT) groups.at(-1)!.push(hunk)
    else groups.push([hunk])
  }
  let shift = 0
  return groups
    .map(hunks => {
      const start = Math.max(0, hunks[0]!.start - CONTEXT)
      const end = Math.min(lines.length, hunks.at(-1)!.end + CONTEXT)
      const body: string[] = []
      let at = start
      let grown = 0
      for (const hunk of hunks) {
        body.push(...lines.slice(at, hunk.start).map(line => ` ${line}`))
        body.push(...lines.slice(hunk.start, hunk.end).map(line => `-${line}`))
        body.push(...hunk.lines.map(line => `+${line}`))
        at = hunk.end
        grown += hunk.lines.length - (hunk.end - hunk.start)
      }
      body.push(...lines.slice(at, end).map(line => ` ${line}`))
      const range = (first: number, count: number) => `${count === 0 ? first : first + 1},${count}`
      const head = `@@ -${range(start, end - start)} +${range(start + shift, end - start + grown)} @@\n`
      shift += grown
      return head + body.map(line => (line.endsWith('\n') ? line : `${line}\n`)).join('')
    })
    .join('')
}
