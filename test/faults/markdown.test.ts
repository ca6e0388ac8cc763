import { describe, expect, onTestFinished, test } from 'vitest'
import { startMarkdownConverter } from '../../routers/social/posts/markdown/converter.ts'
import { startBusyLoops } from '../liquid/busy-loops.ts'
import { type Person, useTestService } from '../support/test-service.ts'

/** Size of a post in characters. */
const SIZE = 400_000

/** A post of `SIZE` characters that takes a fraction of a second to convert. */
const SLOW = { format: 'markdown', markdown: '![a\n'.repeat(SIZE / 4) }

describe('Markdown posts of one account', () => {
  // Thirteen posts of one account are accepted: one is converted immediately, and twelve fit into the queue.
  const service = useTestService({ markdownQueue: { perAccount: 12 * SIZE, total: 14 * SIZE } })

  test("do not delay other accounts' posts, even if the one account sends 24 posts of 400 KB", async () => {
    const [attacker, other] = await Promise.all([service.signUp(), service.signUp()])
    const completed: string[] = []
    const flood = Array.from({ length: 24 }, async () => {
      const { status } = await attacker.api.post('/posts', SLOW)
      if (status === 201) completed.push('flood')
      return status
    })
    // After the first refusal, one post is being converted and twelve wait.
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
})

describe('too many waiting Markdown posts', () => {
  const service = useTestService({ markdownQueue: { perAccount: 2 * SIZE, total: 3 * SIZE } })

  test('are refused with 429 if one account sent too many, and with 503 if the whole queue is full', async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 3 }, () => service.signUp()))
    const flood = ({ api }: Person) => Array.from({ length: 24 }, () => api.post('/posts', SLOW))
    const own = flood(first!)
    // Once one post is refused, the account has filled its share of the queue.
    await Promise.race(own)
    const responses = await Promise.all([...own, ...others.flatMap(flood)])
    const codes = (status: number) =>
      responses.filter(response => response.status === status).map(({ body }) => String(body.code))
    expect(new Set(codes(429))).toEqual(new Set(['rate_limited']))
    expect(new Set(codes(503))).toEqual(new Set(['unavailable']))
    for (const { headers } of responses.filter(({ status }) => status !== 201))
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

test('the time in which a conversion waits for a processor does not count against its limit', async () => {
  const convert = async (timeLimit?: number) => {
    const converter = startMarkdownConverter({ perAccount: 1_000_000, total: 1_000_000 }, timeLimit)
    onTestFinished(() => converter.stop())
    expect(await converter.convert('a\n\n'.repeat(50_000), 'account')).not.toBeNull()
  }
  const start = performance.now()
  await convert()
  // The limit is much more than the processor time that the conversion needs. But it is less than the time that passes
  // during the conversion while 16 busy loops run on two cores.
  const limit = 2 * (performance.now() - start)
  onTestFinished(await startBusyLoops(16))
  await convert(limit)
})
