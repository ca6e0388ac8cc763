import { describe, expect, test } from 'vitest'
import { useTestService } from '../support/test-service.ts'

const service = useTestService({ markdownQueue: { perAccount: 1_000_000, total: 1_500_000 } })

/** Returns a post that takes about a second to convert if `length` is a million characters. */
const slow = (length: number) => ({ format: 'markdown', markdown: '![a\n'.repeat(length / 4) })

describe('Markdown posts of one account', () => {
  test("do not delay other accounts' posts, even long ones (24 posts of 800 KB)", async () => {
    const [attacker, other] = await Promise.all([service.signUp(), service.signUp()])
    const start = performance.now()
    await attacker.api.post('/posts', slow(800_000))
    const alone = performance.now() - start
    const flood = Array.from({ length: 24 }, () => attacker.api.post('/posts', slow(800_000)))
    await Promise.race(flood)
    const since = performance.now()
    const responses = await Promise.all(
      ['word', 'word '.repeat(20_000), 'word '.repeat(100_000)].map(markdown =>
        other.api.post('/posts', { format: 'markdown', markdown }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201])
    // In the order of arrival, 24 long posts would come first.
    expect(performance.now() - since).toBeLessThan(12 * alone)
    for (const { status } of await Promise.all(flood)) expect([201, 429]).toContain(status)
  })

  test('are refused when too many of them wait, and posts of any account when too many wait in total', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => service.signUp()))
    const responses = await Promise.all(
      people.flatMap(({ api }) => Array.from({ length: 12 }, () => api.post('/posts', slow(200_000)))),
    )
    const bodies = (status: number) =>
      responses.filter(response => response.status === status).map(({ body }) => String(body.code))
    expect(new Set(bodies(429))).toEqual(new Set(['rate_limited']))
    expect(new Set(bodies(503))).toEqual(new Set(['unavailable']))
    for (const { headers } of responses.filter(({ status }) => status !== 201))
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
