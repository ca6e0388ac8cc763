import { expect, test } from 'vitest'
import { uniqueName, useTestService } from '../support/test-service.ts'
import { dashboardClient, errorCodeOf } from './support/dashboard-client.ts'

const service = useTestService({ trustedProxies: ['loopback'] })
const password = 'correct horse battery'
const ELSEWHERE = '198.51.100.7'

/** Creates an account and returns its handle and its browser. */
const signUp = async () => {
  const handle = uniqueName('audited')
  const { api } = dashboardClient(service)
  await api.accounts.signUp.mutate({ handle, password })
  return { handle, api }
}

/** Returns how many failed sign-ins the audit log of the account has, by method and reason. */
const failed = async ({ api }: Awaited<ReturnType<typeof signUp>>) => {
  await service.core.countedEvents.flush()
  const { events } = await api.audit.ofAccount.query({ topic: 'sign_ins' })
  const counts: Record<string, number> = {}
  // If an hour ends between the attempts, they are counted in two events.
  for (const { kind, method, code, count, is_anonymous } of events) {
    if (kind !== 'sign_in_failed') continue
    const name = `${method} ${code ?? 'wrong'}${is_anonymous ? '' : ' signed in'}`
    counts[name] = (counts[name] ?? 0) + count
  }
  return counts
}

test('a sign-in with a wrong recovery code is in the audit log of the account', async () => {
  const person = await signUp()
  const { api } = dashboardClient(service)
  const call = api.sessions.createFromCode.mutate({ handle: person.handle, code: 'abcdef-abcdef-abcdef' })
  expect(await errorCodeOf(call)).toBe('sign_in_failed')
  expect(await failed(person)).toEqual({ 'recovery_code wrong': 1 })
})

test.each([
  [
    'password',
    (handle: string, { api }: ReturnType<typeof dashboardClient>) =>
      api.sessions.create.mutate({ handle, password: 'wrong' }),
  ],
  [
    'recovery_code',
    (handle: string, { api }: ReturnType<typeof dashboardClient>) =>
      api.sessions.createFromCode.mutate({ handle, code: 'abcdef-abcdef-abcdef' }),
  ],
])(
  'sign-ins with a %s that were refused after too many attempts are in the audit log',
  async (method, attempt) => {
    const person = await signUp()
    const attacker = dashboardClient(service, 'curl/8', undefined, ELSEWHERE)
    for (let n = 0; n < 10; n++)
      expect(await errorCodeOf(attempt(person.handle, attacker))).toBe('sign_in_failed')
    for (const handle of [person.handle, person.handle.toUpperCase()])
      expect(await errorCodeOf(attempt(handle, attacker))).toBe('rate_limited')
    expect(await failed(person)).toEqual({ [`${method} wrong`]: 10, [`${method} rate_limited`]: 2 })
  },
)

test('refused sign-ins to an account that does not exist are in no audit log', async () => {
  const attacker = dashboardClient(service, 'curl/8', undefined, '203.0.113.50')
  const attempt = () => errorCodeOf(attacker.api.sessions.create.mutate({ handle: 'nobody.here', password }))
  for (let n = 0; n < 10; n++) expect(await attempt()).toBe('sign_in_failed')
  const countEvents = async () => {
    await service.core.countedEvents.flush()
    const db = service.core.database
    return (await db.selectFrom('audit_events').select('position').execute()).length
  }
  const before = await countEvents()
  expect(await attempt()).toBe('rate_limited')
  expect(await countEvents()).toBe(before)
})
