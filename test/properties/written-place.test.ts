import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currentRange } from '../../facades/admin/editor/written-place.ts'

describe('a range of a text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r\n', '\n', '😀'), maxLength: 12 })
  const lines = (written: string) => written.replace(/\r\n?/g, '\n')

  it('is found again after an edit outside it, in an editor that has line feeds only', () => {
    fc.assert(
      fc.property(text, text, text, text, (start, range, end, inserted) => {
        const written = `${start}<${range}>${end}`
        const place = { begin: start.length, end: start.length + range.length + 2 }
        for (const now of [`${inserted}${written}`, `${written}${inserted}`]) {
          const found = currentRange(written, lines(now), place)
          expect(lines(now).slice(found!.begin, found!.end)).toBe(lines(`<${range}>`))
        }
      }),
    )
  })

  it('is not found if it was edited itself', () => {
    expect(currentRange('one <h1> two', 'one <h2> two', { begin: 4, end: 8 })).toBeUndefined()
    expect(currentRange('one <h1> two', '', { begin: 4, end: 8 })).toBeUndefined()
  })
})
