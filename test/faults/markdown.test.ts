import { describe, expect, test } from 'vitest'
import { useTestService } from '../support/test-service.ts'

const service = useTestService({ markdownQueue: { perAccount: 1_000_000, total: 1_500_000 } })

/** Returns a post that takes about a second to convert if `length` is a million characters. */
const slow = (length: number) => ({ format: 'markdown', markdown: '![a\n'.repeat(length / 4) })

describe('Markdown posts of one account', () => {
  test("do not delay other accounts' posts, even if they are long (24 posts of 800 KB)", async () => {
    const [attacker, other] = await Promise.all([service.signUp(), service.signUp()])
    const completed: string[] = []
    const flood = Array.from({ length: 24 }, async () => {
      const { status } = await attacker.api.post('/posts', slow(800_000))
      if (status === 201) completed.push('flood')
      return status
    })
    // By now one post is being converted, one waits, and the others have been refused.
    await Promise.race(flood)
    const responses = await Promise.all(
      ['word', 'word '.repeat(20_000), 'word '.repeat(100_000)].map(markdown =>
        other.api.post('/posts', { format: 'markdown', markdown }).finally(() => completed.push('other')),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201])
    for (const status of await Promise.all(flood)) expect([201, 429]).toContain(status)
    expect(completed.slice(completed.lastIndexOf('other'))).toContain('flood')
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
