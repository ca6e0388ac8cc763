import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { RateLimiter } from '../../routers/api/context.ts'
import { connectRateStore, rateLimiter } from '../../routers/api/rate-limit.ts'
import { copyDatabase } from '../support/database.ts'
import { freePort } from '../support/program.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { startRateStore } from './support/rate-store.ts'

let port: number
let server: ChildProcess | undefined

const startStore = async () => {
  server = await startRateStore(port)
}

/** Connects to the store and creates a rate limiter, as each process of the service does. */
const counter = async (outages: Error[] = []) => {
  const store = await connectRateStore(`redis://127.0.0.1:${port}`, error => outages.push(error))
  // A process counts by itself if the store takes longer than half a second. These tests are not about slow stores.
  store.client.options.commandTimeout = 60_000
  if (store.client.status !== 'ready') await once(store.client, 'ready')
  const limiter = rateLimiter('calls', 5, 60, store)
  return { limiter, store }
}

const consume = (limiter: RateLimiter, id: string, times: number) =>
  Promise.all(Array.from({ length: times }, () => limiter.consume(id)))

beforeAll(async () => {
  port = await freePort()
})
beforeEach(async () => {
  if (!server || server.signalCode !== null) await startStore()
})
afterAll(() => server?.kill('SIGKILL'))

const killStore = async () => {
  server!.kill('SIGKILL')
  await once(server!, 'exit')
}

describe('with a shared store', () => {
  test('several processes share one count', async () => {
    const [one, two] = await Promise.all([counter(), counter()])
    const id = crypto.randomUUID()
    const states = [...(await consume(one.limiter, id, 4)), ...(await consume(two.limiter, id, 4))]
    expect(states.filter(({ refused }) => refused)).toHaveLength(3)
    expect(states[4]).toMatchObject({ limit: 5, remaining: 0, refused: false })
    one.store.close()
    two.store.close()
  })

  test('each process counts calls by itself while the store is down; afterwards they count together again', async () => {
    const outages: Error[] = []
    const { limiter, store } = await counter(outages)
    const id = crypto.randomUUID()
    await consume(limiter, id, 2)

    await killStore()
    const alone = await consume(limiter, id, 6)
    expect(alone.filter(({ refused }) => refused)).toHaveLength(1)

    await startStore()
    while (store.client.status !== 'ready') await sleep(20)
    const other = await counter()
    await consume(other.limiter, id, 3)
    expect((await limiter.consume(id)).remaining).toBe(1)
    expect(outages).toHaveLength(1)
    store.close()
    other.store.close()
  })

  test('services respond while the store is down; afterwards, they share one count of calls again', async () => {
    const settings = {
      databaseUrl: await copyDatabase(inject('database')),
      redisUrl: `redis://127.0.0.1:${port}`,
      callsPerMinute: 1_000,
    }
    const [one, two] = await Promise.all([startTestService(settings), startTestService(settings)])
    onTestFinished(async () => {
      await Promise.all([one.stop(), two.stop()])
    })
    const space = await one.createSpace()
    const authorization = `Bearer ${await space.key('data')}`
    const call = async ({ root }: TestService) => {
      const { status, headers } = await fetch(`${root}/v1/spaces/${space.subdomain}/data`, {
        // Without keep-alive, because the service could close an idle connection just when it is reused.
        headers: { authorization, connection: 'close' },
      })
      return { status, remaining: Number(headers.get('ratelimit-remaining')) }
    }
    /**
     * Calls the first service between two calls of the second one. Returns by how much the number of remaining calls fell
     * between these two: by two if the services count together, and by one if each counts by itself.
     */
    const fallen = async () => {
      const replies = [await call(two), await call(one), await call(two)]
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
      return replies[0]!.remaining - replies[2]!.remaining
    }
    // Polled, because a service also counts by itself if the store takes longer than half a second.
    await expect.poll(fallen).toBe(2)

    await killStore()
    expect(await fallen()).toBe(1)
    const readiness = await fetch(`${one.root}/readyz`, { headers: { connection: 'close' } })
    expect(readiness.status).toBe(200)
    expect(await readiness.json()).toEqual({ status: 'ready', missing: ['shared rate limits'] })

    await startStore()
    await expect.poll(fallen, { timeout: 60_000 }).toBe(2)
    for (const { log } of [one, two]) {
      expect(log.map(({ msg }) => String(msg)).filter(msg => msg.startsWith('The rate limit store'))).toEqual(
        [expect.stringContaining('is unreachable'), expect.stringContaining('is available again')],
      )
      expect(log.filter(({ msg }) => msg === 'fault')).toEqual([])
    }
  })
})
