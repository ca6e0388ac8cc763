import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { replacement } from '../../facades/admin/editor/replacement.ts'

it('a replacement turns one string into another, without replacing their common start and end', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b') })
  fc.assert(
    fc.property(text, text, text, text, (start, removed, inserted, end) => {
      const [before, after] = [start + removed + end, start + inserted + end]
      const { from, to, insert } = replacement(before, after)
      expect(before.slice(0, from) + insert + before.slice(to)).toBe(after)
      expect(to - from).toBeLessThanOrEqual(removed.length)
    }),
    { numRuns: 1000 },
  )
})
