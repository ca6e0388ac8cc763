import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCycle } from '../../routers/content/limits.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const

/** Random graphs: each part with the names of the parts that it includes, some of which do not exist. */
const graph = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), fc.array(fc.constantFrom(...NAMES), { maxLength: 4 })), {
    selector: ([name]) => name,
    maxLength: 6,
  })
  .map(entries => new Map<string, string[]>(entries))

/** Finds all simple cycles through a part by brute force. */
const allCycles = (start: string, includes: Map<string, string[]>): string[][] => {
  const found: string[][] = []
  const walk = (way: string[]) => {
    for (const next of includes.get(way.at(-1)!) ?? []) {
      if (next === start) found.push([...way, start])
      else if (!way.includes(next)) walk([...way, next])
    }
  }
  walk([start])
  return found
}

describe('the include cycle', () => {
  it('is found if and only if brute force finds one, and is the shortest', () => {
    fc.assert(
      fc.property(graph, fc.constantFrom(...NAMES), (includes, start) => {
        const lengths = allCycles(start, includes).map(cycle => cycle.length)
        const cycle = findCycle(start, includes)
        expect(cycle?.length ?? null).toBe(lengths.length > 0 ? Math.min(...lengths) : null)
      }),
      { numRuns: 3000 },
    )
  })

  it('is a chain of existing includes from the part back to itself', () => {
    fc.assert(
      fc.property(graph, fc.constantFrom(...NAMES), (includes, start) => {
        const cycle = findCycle(start, includes)
        fc.pre(cycle !== null)
        expect(cycle.at(0)).toBe(start)
        expect(cycle.at(-1)).toBe(start)
        for (const [index, name] of cycle.slice(0, -1).entries())
          expect(includes.get(name)).toContain(cycle[index + 1])
      }),
      { numRuns: 2000 },
    )
  })

  it('is null for a large graph without a cycle, and the search takes linear time', () => {
    const layers = Array.from({ length: 2000 }, (_, index) => [
      `n${index}`,
      Array.from({ length: 10 }, (_, step) => `n${index + step + 1}`),
    ])
    expect(findCycle('n0', new Map(layers as [string, string[]][]))).toBeNull()
  })
})
