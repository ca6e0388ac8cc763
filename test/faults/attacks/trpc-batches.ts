/** Attack: batches of 900 calls without a session, and single calls at a high rate. */
import { runAttack } from '../support/attack.ts'
import { call, repeat, tally } from '../support/http.ts'

const batch = Array.from({ length: 900 }, () => 'accounts.entry').join(',')

runAttack(async ({ port, from, scale }) => {
  const get = (path: string) => call(port, { path, from })
  return tally([
    ...(await repeat(200 * scale, 20, () => get(`/trpc/${batch}?batch=1`))),
    ...(await repeat(1_000 * scale, 20, () => get('/trpc/accounts.entry'))),
  ])
})
