import { expect, test } from 'vitest'
import { networkRateLimiter } from '../../routers/api/rate-limit.ts'

const MINUTE = 60

test('the networks of an IPv6 /48 together can make only ten times as many attempts as one /64', async () => {
  const limiter = networkRateLimiter('test', 2, MINUTE, null)
  const refused = async (address: string) => (await limiter.consume(address)).refused
  const results: boolean[] = []
  for (let n = 0; n < 21; n++) results.push(await refused(`2001:db8:1:${n.toString(16)}::1`))
  expect(results).toEqual([...Array<boolean>(20).fill(false), true])
  expect(await refused('2001:db8:2::1')).toBe(false)
})

test('the addresses of an IPv6 /64 share a limit, and IPv4 addresses do not', async () => {
  const limiter = networkRateLimiter('test', 1, MINUTE, null)
  const refused = async (address: string) => (await limiter.consume(address)).refused
  expect([await refused('2001:db8::1'), await refused('2001:db8::2')]).toEqual([false, true])
  expect([await refused('192.0.2.1'), await refused('192.0.2.2'), await refused('192.0.2.1')]).toEqual([
    false,
    false,
    true,
  ])
})
