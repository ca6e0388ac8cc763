import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitize } from '../../routers/rendering/sanitize/sanitize.ts'
import { problemsIn } from './oracle.ts'
import { pages } from './pages.ts'

describe('any page', () => {
  it('contains nothing active after sanitizing', () => {
    fc.assert(
      fc.property(pages, page => {
        expect(problemsIn(sanitize(page))).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })

  it('is unchanged when it is sanitized again', () => {
    fc.assert(
      fc.property(pages, page => {
        const once = sanitize(page)
        expect(sanitize(once)).toBe(once)
      }),
      { numRuns: 3000 },
    )
  })

  it('is sanitized without an error, whatever its text and markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        const once = sanitize(text)
        expect(problemsIn(once)).toEqual([])
        expect(sanitize(once)).toBe(once)
      }),
      { numRuns: 1000 },
    )
  })
})
