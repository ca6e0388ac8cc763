import { expect, test } from 'vitest'
import { Closing } from '../../server/lifecycle.ts'

test('a step of stopping that never ends is reported, and the steps after it run', async () => {
  const ran: string[] = []
  const stuck: string[] = []
  const closing = new Closing(1, step => void stuck.push(step))
  closing.onStop(() => void ran.push('database'))
  closing.onStop(() => new Promise(() => {}))
  closing.onStop(() => void ran.push('connections'))
  await closing.close()
  expect(ran).toEqual(['connections', 'database'])
  expect(stuck).toEqual([expect.stringContaining('new Promise')])
})

test('steps that end are waited for, and not reported', async () => {
  const ran: string[] = []
  const stuck: string[] = []
  const closing = new Closing(60_000, step => void stuck.push(step))
  closing.onStop(() => void ran.push('database'))
  closing.onStop(async () => {
    await new Promise(resolve => setImmediate(resolve))
    ran.push('connections')
  })
  await closing.close()
  expect(ran).toEqual(['connections', 'database'])
  expect(stuck).toEqual([])
})
