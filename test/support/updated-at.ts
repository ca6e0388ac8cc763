import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** A new resource, and a function that changes it. With another number `n`, the function makes another change. */
export interface Changeable {
  created: { updated_at: string }
  change: (n: number) => Promise<{ body: { updated_at: string } }>
}

const NOW = Date.parse('2030-01-01T12:00:00Z')

/**
 * Declares tests which check that every change of a resource increases its `updated_at`, whatever the clock shows.
 *
 * @param resources for each kind of resource, a function that creates one
 */
export const testUpdatedAt = (resources: Readonly<Record<string, () => Promise<Changeable>>>): void =>
  describe.each(Object.entries(resources))('updated_at of a %s', (_kind, create) => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'], now: NOW })
    })
    afterEach(() => {
      vi.useRealTimers()
    })

    it('increases by one millisecond per change while the clock stands still', async () => {
      const { created, change } = await create()
      const times = [created.updated_at]
      for (const n of [1, 2, 3]) times.push((await change(n)).body.updated_at)
      expect(times.map(time => Date.parse(time) - NOW)).toEqual([0, 1, 2, 3])
    })

    it('increases by one millisecond after the clock was set back', async () => {
      const { created, change } = await create()
      vi.setSystemTime(NOW - 3_600_000)
      const { body } = await change(1)
      expect(Date.parse(body.updated_at) - Date.parse(created.updated_at)).toBe(1)
    })
  })
