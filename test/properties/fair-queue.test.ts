import { describe, expect, test } from 'vitest'
import { FairQueue } from '../../routers/api/fair-queue.ts'

const settled = () => new Promise(setImmediate)

/** Returns a queue for tasks that run until the test ends them, and the names of the started tasks in order. */
const queueOf = (limits: ConstructorParameters<typeof FairQueue>[0]) => {
  const queue = new FairQueue(limits)
  const started: string[] = []
  const ends: (() => void)[] = []
  const add = (account: string, name: string, size = 1) =>
    queue.run(account, size, () => {
      started.push(name)
      return new Promise<void>(resolve => ends.push(resolve))
    })
  /** Ends the task that started first. */
  const end = async () => {
    await settled()
    ends.shift()?.()
    await settled()
  }
  return { add, end, started }
}

describe('a fair queue', () => {
  test('alternates between accounts, and starts the tasks of each account in order', async () => {
    const { add, end, started } = queueOf({
      running: 1,
      runningPerAccount: 1,
      waiting: 100,
      waitingPerAccount: 100,
    })
    const work = [
      add('a', 'a1'),
      add('a', 'a2'),
      add('a', 'a3'),
      add('b', 'b1'),
      add('b', 'b2'),
      add('c', 'c1'),
    ]
    for (const _ of work) await end()
    await Promise.all(work)
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  test('starts the task of another account when one account has reached its limit', async () => {
    const { add, end, started } = queueOf({
      running: 2,
      runningPerAccount: 1,
      waiting: 100,
      waitingPerAccount: 100,
    })
    const work = [add('a', 'a1'), add('a', 'a2'), add('b', 'b1')]
    await settled()
    expect(started).toEqual(['a1', 'b1'])
    for (const _ of work) await end()
    await Promise.all(work)
  })

  test('rejects tasks above the limit of an account, and above the total limit', async () => {
    const { add, end } = queueOf({ running: 1, runningPerAccount: 1, waiting: 5, waitingPerAccount: 3 })
    const work = [add('a', 'a1', 9), add('a', 'a2', 3)]
    await expect(add('a', 'a3')).rejects.toMatchObject({ problem: 'rate_limited' })
    work.push(add('b', 'b1', 2))
    await expect(add('c', 'c1')).rejects.toMatchObject({ problem: 'unavailable' })
    for (let round = 0; round < 3; round++) await end()
    await Promise.all(work)
    const again = add('c', 'c2', 3)
    await end()
    await again
  })

  test('continues after a task that fails', async () => {
    const queue = new FairQueue({ running: 1, runningPerAccount: 1, waiting: 9, waitingPerAccount: 9 })
    const failing = queue.run('a', 1, () => Promise.reject(new Error('no')))
    const next = queue.run('a', 1, () => Promise.resolve('yes'))
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })
})
