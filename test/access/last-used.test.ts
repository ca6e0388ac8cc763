import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lastUsed } from '../../routers/api/last-used.ts'

test('flush also waits for the last-used times that an earlier flush is still writing', async () => {
  const written: string[] = []
  const database = Promise.withResolvers<void>()
  const uses = lastUsed(
    {
      write: async batch => {
        await database.promise
        written.push(...batch.map(({ id }) => id))
      },
      refuse: async () => {},
    },
    () => {},
  )
  uses.touch('one')
  void uses.flush()
  let isFlushed = false
  const flush = async () => {
    await uses.flush()
    isFlushed = true
  }
  const flushed = flush()
  await nextTurn()
  expect({ isFlushed, written }).toEqual({ isFlushed: false, written: [] })
  database.resolve()
  await flushed
  expect(written).toEqual(['one'])
})

test('uses of two seconds are written together', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const written: string[][] = []
  const uses = lastUsed(
    {
      write: async batch => void written.push(batch.map(({ id }) => id)),
      refuse: async () => {},
    },
    () => {},
  )
  uses.touch('one')
  await vi.advanceTimersByTimeAsync(1_000)
  uses.touch('two')
  await vi.advanceTimersByTimeAsync(999)
  expect(written).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(written).toEqual([['one', 'two']])
})
