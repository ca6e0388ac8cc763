import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clientDocuments, MAX_FETCHES } from '../../routers/credentials/oauth/client-documents.ts'
import { CALLBACK } from './support/flow.ts'

const ID = 'https://client.example/me.json'
const MINUTE = 60_000

let now: number
beforeEach(() => {
  // The cache reads the time at most once per tick of this timer.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  now = 1_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const wait = (ms: number) => {
  now += ms
  vi.advanceTimersByTime(ms)
}

/** Documents of clients, whose hosts answer as `answer` says. */
const documents = (answer: (url: URL) => Promise<unknown>) => {
  const fetched = vi.fn<(url: URL) => Promise<unknown>>(answer)
  const cached = clientDocuments(fetched)
  return {
    fetched,
    has: (id: string) => cached.has(id),
    read: (id = ID, address = '192.0.2.1') => cached.read(id, address),
  }
}

const found = (url: URL) => Promise.resolve({ client_id: url.href, redirect_uris: [CALLBACK] })

describe('a metadata document', () => {
  test('is fetched again five minutes after it was read', async () => {
    const { fetched, read } = documents(found)
    await read()
    wait(5 * MINUTE - 1)
    await read()
    expect(fetched).toHaveBeenCalledTimes(1)
    wait(2)
    await read()
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  test('that could not be read is fetched again after twenty seconds, and then works', async () => {
    let isUp = false
    const { fetched, read } = documents(url => (isUp ? found(url) : Promise.reject(new Error('down'))))
    await expect(read()).rejects.toThrow('could not be read: down')
    isUp = true
    wait(19_999)
    await expect(read()).rejects.toThrow('could not be read: down')
    expect(fetched).toHaveBeenCalledTimes(1)
    wait(2)
    await expect(read()).resolves.toMatchObject({ id: ID, host: 'client.example' })
    wait(MINUTE)
    await read()
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  test('is known to be cached only under its own address', async () => {
    const { read, has } = documents(found)
    await read()
    expect([has(ID), has(`${ID}?other`)]).toEqual([true, false])
  })
})

describe('fetches of metadata documents', () => {
  const hanging = () => Promise.withResolvers<unknown>()
  const nth = (n: number) => `https://client.example/${n}`

  test('above the limit of a network are refused and not remembered; finished ones no longer count', async () => {
    const answer = hanging()
    const { fetched, read, has } = documents(() => answer.promise)
    const open = Array.from({ length: MAX_FETCHES.perNetwork }, (_, n) => read(nth(n)).catch(() => 'failed'))
    await expect(read()).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    expect([has(ID), fetched.mock.calls.length]).toEqual([false, MAX_FETCHES.perNetwork])
    const elsewhere = read(ID, '198.51.100.1').catch(() => 'failed')
    expect(fetched).toHaveBeenCalledTimes(MAX_FETCHES.perNetwork + 1)
    answer.reject(new Error('gone'))
    expect(new Set(await Promise.all([...open, elsewhere]))).toEqual(new Set(['failed']))
    await expect(read(nth(100))).rejects.toThrow('gone')
  })

  test('above the limit of all networks are refused', async () => {
    const answer = hanging()
    const { read } = documents(() => answer.promise)
    const open = Array.from({ length: MAX_FETCHES.total }, (_, n) =>
      read(nth(n), `192.0.2.${n}`).catch(() => 'failed'),
    )
    await expect(read(ID, '198.51.100.1')).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    answer.reject(new Error('gone'))
    await Promise.all(open)
  })
})
