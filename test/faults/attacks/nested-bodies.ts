/** Attack: bodies of 14 MiB that consist of `[`, sent as sign-ins without a session, and as file uploads with a key. */
import { runAttack } from '../support/attack.ts'
import { call, repeat, tally } from '../support/http.ts'

const body = Buffer.alloc(14 * 1_048_576 - 1, '[')

runAttack(async ({ port, from, scale, headers, subdomain }) =>
  tally(
    await repeat(40 * scale, 40, n =>
      call(port, {
        method: 'POST',
        path: n % 2 ? '/trpc/sessions.create' : `/v1/spaces/${subdomain}/files`,
        ...(n % 2 ? {} : { headers }),
        body,
        from,
      }),
    ),
  ),
)
