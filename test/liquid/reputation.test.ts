import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { timeoutError } from '../../routers/rendering/workers/failures.ts'
import { type PageVersion, Reputation } from '../../routers/rendering/workers/reputation.ts'

const ERROR = timeoutError('menu')
const page = (revision = '1', id = 'page', space = 'space'): PageVersion => ({
  space,
  revision,
  page: { id },
})

let reputation: Reputation
let now: number
beforeEach(() => {
  // The cache of the records reads the time at most once per tick of this timer.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  now = 1_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  reputation = new Reputation()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const wait = (ms: number) => {
  now += ms
  vi.advanceTimersByTime(ms)
}

const fail = (times: number, version = page()) => {
  for (let n = 0; n < times; n++) reputation.failed(version, ERROR)
}
const succeed = (spent = 1, parsed = true, version = page()) => {
  const outcome = { ok: true as const, html: Buffer.from(''), head: null, isStable: true }
  reputation.evaluated(version, { outcome: outcome as never, spent, parsed })
}

describe('a page that failed', () => {
  it('once is evaluated again immediately', () => {
    fail(1)
    expect(reputation.standingOf(page())).toBe('unproven')
    expect(reputation.errorWhileResting(page())).toBeUndefined()
    expect(reputation.lastError(page())).toBeUndefined()
  })

  it('twice rests for a second, and twice as long after each further failure, up to half a minute', () => {
    fail(1)
    for (const rest of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      fail(1)
      expect(reputation.standingOf(page())).toBe('suspect')
      wait(rest - 1)
      expect(reputation.errorWhileResting(page())).toEqual(ERROR)
      wait(1)
      expect(reputation.errorWhileResting(page())).toBeUndefined()
      expect(reputation.lastError(page())).toEqual(ERROR)
    }
  })

  it('twice has its error only at the revision that failed; other revisions are suspect too', () => {
    fail(2)
    expect(reputation.errorWhileResting(page('2'))).toBeUndefined()
    expect(reputation.lastError(page('2'))).toBeUndefined()
    expect(reputation.standingOf(page('2'))).toBe('suspect')
  })

  it('does not affect other pages of its space, or the same page of another space', () => {
    fail(2)
    for (const other of [page('1', 'other'), page('1', 'page', 'other')]) {
      expect(reputation.standingOf(other)).toBe('unproven')
      expect(reputation.errorWhileResting(other)).toBeUndefined()
    }
  })

  it('no longer has its error after a success, but stays suspect', () => {
    fail(2)
    succeed()
    expect(reputation.errorWhileResting(page())).toBeUndefined()
    expect(reputation.lastError(page())).toBeUndefined()
    expect(reputation.standingOf(page())).toBe('suspect')
    fail(1)
    expect(reputation.lastError(page())).toEqual(ERROR)
  })

  it('is forgotten a minute after its last failure', () => {
    fail(1)
    wait(50_000)
    fail(1)
    wait(59_000)
    expect(reputation.standingOf(page())).toBe('suspect')
    wait(2_000)
    expect(reputation.standingOf(page())).toBe('unproven')
  })

  it('by exceeding its time inside the worker counts as failed; with another error it does not', () => {
    const evaluated = (kind: 'timeout' | 'syntax') =>
      reputation.evaluated(page(), {
        outcome: { ok: false, error: { ...ERROR, kind } },
        spent: 1,
        parsed: true,
      })
    for (let n = 0; n < 3; n++) evaluated('syntax')
    expect(reputation.standingOf(page())).toBe('quick')
    for (let n = 0; n < 2; n++) evaluated('timeout')
    expect(reputation.standingOf(page())).toBe('suspect')
    expect(reputation.lastError(page())).toEqual(ERROR)
  })
})

describe('the pace of a page', () => {
  it.each([
    [40, 'quick', false],
    [41, 'unproven', true],
    [125, 'unproven', true],
    [126, 'long', false],
  ] as const)('that took %s ms of processor time is %s', (spent, standing, isSteady) => {
    succeed(spent)
    expect([reputation.standingOf(page()), reputation.isSteady(page())]).toEqual([standing, isSteady])
  })

  it('is quick only if an evaluation that included parsing was quick', () => {
    succeed(1, false)
    expect(reputation.standingOf(page())).toBe('unproven')
    succeed(1, true)
    succeed(1, false)
    expect(reputation.standingOf(page())).toBe('quick')
  })

  it('is unknown after a failure', () => {
    succeed()
    fail(1)
    expect([reputation.standingOf(page()), reputation.isSteady(page())]).toEqual(['unproven', false])
  })
})
