/** Attack: calls without a session, each from a new IPv6 address: first in one /64, then in many /64s of one /48. */
import { runAttack } from '../support/attack.ts'
import { call, repeat, tally } from '../support/http.ts'

runAttack(async ({ port, scale }) => {
  const from = (address: string) =>
    call(port, { path: '/trpc/accounts.entry', headers: { 'x-forwarded-for': address } })
  const named = (name: string, counts: Record<string, number>) =>
    Object.fromEntries(Object.entries(counts).map(([status, times]) => [`${name} ${status}`, times]))
  const hex = (n: number) => n.toString(16)
  const narrow = await repeat(500 * scale, 20, n => from(`2001:db8:1:1::${hex(n)}`))
  const wide = await repeat(1_000 * scale, 20, n => from(`2001:db8:2:${hex(n)}::1`))
  return { ...named('/64', tally(narrow)), ...named('/48', tally(wide)) }
})
