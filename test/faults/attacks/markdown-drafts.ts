/** Attack: drafts of almost 1 MiB of Markdown, from one account. */
import { runAttack } from '../support/attack.ts'
import { call, repeat, tally } from '../support/http.ts'

const markdown = '**a** _b_ [c](https://example.com/) `d`\n\n> - e\n\n'.repeat(18_500)
const body = JSON.stringify({ format: 'markdown', markdown, tags: [] })

runAttack(async ({ port, from, scale, facts }) =>
  tally(
    await repeat(24 * scale, 24 * scale, () =>
      call(port, {
        path: '/trpc/writing.createDraft',
        headers: { cookie: facts.cookie! },
        body,
        from,
      }),
    ),
  ),
)
