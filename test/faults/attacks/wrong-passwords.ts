/** Attack: wrong passwords for the handle of another account. */
import { runAttack } from '../support/attack.ts'
import { call, repeat, tally } from '../support/http.ts'

runAttack(async ({ port, from, scale, facts }) =>
  tally(
    await repeat(60 * scale, 10, n =>
      call(port, {
        path: '/trpc/sessions.create',
        body: JSON.stringify({ handle: facts.handle, password: `wrong password ${n}` }),
        from,
      }),
    ),
  ),
)
