import { expect, test } from 'vitest'
import type { CountedEvent } from '../../db/queries/audit.ts'
import { countedEvents } from '../../routers/api/counted-events.ts'

const refused = (spaceId: string, code: string, actor = `owner of ${spaceId}`) => ({
  owner: { spaceId },
  kind: 'refused' as const,
  actor,
  actorLabel: 'key',
  details: { code },
})

const collect = (fails: () => boolean = () => false) => {
  const batches: CountedEvent[][] = []
  const errors: unknown[] = []
  const events = countedEvents(
    async batch => {
      if (fails()) throw new Error('down')
      batches.push(batch)
    },
    error => errors.push(error),
  )
  return { events, batches, errors }
}

test('a million refusals of one key are counted in one row per hour', async () => {
  const { events, batches } = collect()
  for (let n = 0; n < 1_000_000; n++) events.note(refused('space', 'limit_reached'))
  await events.flush()
  const [batch] = batches
  // If an hour ends during the loop, the events are counted in two rows.
  expect(batch!.length).toBeLessThanOrEqual(2)
  expect(batch!.reduce((sum, { count }) => sum + count, 0)).toBe(1_000_000)
})

test('one space cannot displace the events of others', async () => {
  const { events, batches } = collect()
  for (let n = 0; n < 10_000; n++) events.note(refused('hostile', `code ${n}`))
  events.note(refused('other', 'limit_reached'))
  await events.flush()
  expect(batches[0]!.length).toBeLessThan(100)
  expect(batches[0]!.at(-1)!.owner).toEqual({ spaceId: 'other' })
})

test('one account cannot displace the events of others, however many spaces it has', async () => {
  const { events, batches } = collect()
  for (let n = 0; n < 10_000; n++) events.note(refused(`space ${n}`, 'limit_reached', 'hostile'))
  events.note(refused('other', 'limit_reached'))
  await events.flush()
  expect(batches[0]!.length).toBeLessThan(100)
  expect(batches[0]!.at(-1)!.owner).toEqual({ spaceId: 'other' })
})

test('the number of rows for all spaces together is limited too', async () => {
  const { events, batches } = collect()
  for (let n = 0; n < 10_000; n++) events.note(refused(`space ${n}`, 'limit_reached'))
  await events.flush()
  expect(batches[0]).toHaveLength(1_000)
})

test('counts that arrive during a failed write are added to its counts, at the time of the first', async () => {
  const batches: CountedEvent[][] = []
  const writes = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const events = countedEvents(
    batch => {
      batches.push(batch)
      return writes[batches.length - 1]!.promise
    },
    () => {},
  )
  for (let n = 0; n < 3; n++) events.note(refused('space', 'limit_reached'))
  const failing = events.flush()
  for (let n = 0; n < 2; n++) events.note(refused('space', 'limit_reached'))
  writes[0]!.reject(new Error('down'))
  await failing
  writes[1]!.resolve()
  await events.flush()
  const [first, second] = batches
  // If an hour ends between the two calls, the events are counted in two rows.
  expect(second!.reduce((sum, { count }) => sum + count, 0)).toBe(5)
  expect(second!.some(({ at }) => at === first![0]!.at)).toBe(true)
})

test('counts that could not be written are added to the next batch', async () => {
  let isDown = true
  const { events, batches, errors } = collect(() => isDown)
  for (let n = 0; n < 3; n++) events.note(refused('space', 'limit_reached'))
  await events.flush()
  expect([batches, errors]).toEqual([[], [new Error('down')]])
  isDown = false
  for (let n = 0; n < 2; n++) events.note(refused('space', 'limit_reached'))
  await events.flush()
  expect(batches[0]!.reduce((sum, { count }) => sum + count, 0)).toBe(5)
})
