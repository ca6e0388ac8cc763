/** What an editor of a space can call: every procedure is tried, and `classification.ts` says which refuse editors. */
import { beforeAll, describe, expect, test } from 'vitest'
import { appRouter } from '../../routers/index.ts'
import { dashboardClient } from '../dashboard/support/dashboard-client.ts'
import { request } from '../space-api/support/http.ts'
import { uniqueName, useTestService } from '../support/test-service.ts'
import { classification, createVictim, type Victim } from './classification.ts'
import { digestsOf } from './digests.ts'

const service = useTestService({ dashboardCallsPerMinute: 1_000_000 })
let victim: Victim
let cookie: string

beforeAll(async () => {
  victim = await createVictim(service)
  const browser = dashboardClient(service)
  await browser.api.accounts.signUp.mutate({
    handle: uniqueName('editor'),
    password: 'correct horse battery',
  })
  const { subdomain } = victim.space
  const { url } = await victim.person.invites.create({ subdomain, role: 'editor' })
  await browser.api.invites.accept.mutate({ token: new URL(url).hash.slice(1) })
  cookie = browser.cookie()!
})

interface Definition {
  type: 'query' | 'mutation' | 'subscription'
}

const rows = Object.entries<{ _def: unknown }>(appRouter._def.procedures as never).flatMap(
  ([name, procedure]) => {
    const access = classification[name]
    const { type } = procedure._def as Definition
    return access?.kind === 'space' && type !== 'subscription' ? [{ name, type, access }] : []
  },
)

/** Calls a procedure as the editor and returns the error code; undefined if the call succeeds. */
const call = async ({ name, type, access }: (typeof rows)[number]) => {
  const json = JSON.stringify(access.input(victim))
  const { text } =
    type === 'query'
      ? await request(service.root, 'GET', `/trpc/${name}?input=${encodeURIComponent(json)}`, {
          headers: { cookie },
        })
      : await request(service.root, 'POST', `/trpc/${name}`, {
          headers: { cookie, 'content-type': 'application/json' },
          body: json,
        })
  const { error } = JSON.parse(text) as { error?: { data: { problem: { code: string } } } }
  return error?.data.problem.code
}

describe('an editor is refused by', () => {
  const refused = rows.filter(({ access }) => access.ownersOnly)

  test.each(refused)('$name', async row => {
    expect(await call(row)).toBe('owners_only')
  })

  test('all of them without any effect', async () => {
    const before = await digestsOf(service.core.database)
    for (const row of refused) await call(row)
    expect(await digestsOf(service.core.database)).toEqual(before)
  })
})

describe('an editor is not refused by', () => {
  // Whoever has left can call nothing else.
  const allowed = rows
    .filter(({ access }) => !access.ownersOnly)
    .toSorted((a, b) => Number(a.name === 'participants.leave') - Number(b.name === 'participants.leave'))

  test.each(allowed)('$name', async row => {
    expect(['owners_only', 'space_not_found']).not.toContain(await call(row))
  })
})
