import { expect, test } from 'vitest'
import { dashboardClient, errorCodeOf } from '../dashboard/support/dashboard-client.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService({ callsPerMinute: 5, dashboardCallsPerMinute: 5 })

/** Returns how many of the statuses are 429. */
const refusedOf = (statuses: number[]) => statuses.filter(status => status === 429).length

const repeat = async (call: () => Promise<{ status: number }>) => {
  const statuses = []
  for (let n = 0; n < 12; n++) statuses.push((await call()).status)
  return statuses
}

type Events = { code: string | null; count: number; actor_label: string | null }[]

/** Checks the code and the actor of each event, and returns the sum of their counts. */
const countOf = (events: Events, label: string | null) => {
  for (const event of events) expect(event).toMatchObject({ code: 'rate_limited', actor_label: label })
  return events.reduce((sum, { count }) => sum + count, 0)
}

test('rate-limited calls with a key or a token are counted in the audit log', async () => {
  const { api, owner, subdomain } = await service.createSpace()
  const byKey = refusedOf(await repeat(() => api.get('/pages')))
  const byToken = refusedOf(await repeat(() => owner.api.get('/me')))
  expect(Math.min(byKey, byToken)).toBeGreaterThan(0)
  await service.core.countedEvents.flush()
  const ofSpace = await owner.audit.ofSpace({ subdomain, topic: 'refusals' })
  const ofAccount = await owner.audit.ofAccount({ topic: 'refusals' })
  expect([countOf(ofSpace.events, 'test'), countOf(ofAccount.events, 'test')]).toEqual([byKey, byToken])
})

test('rate-limited calls with a session are counted in the audit log', async () => {
  const person = await service.signUp()
  const { api } = dashboardClient(service)
  await api.sessions.create.mutate({ handle: person.handle, password: 'correct horse battery' })
  const codes = []
  for (let n = 0; n < 12; n++) codes.push(await errorCodeOf(api.accounts.me.query()))
  const refused = codes.filter(code => code === 'rate_limited').length
  expect(refused).toBeGreaterThan(0)
  await service.core.countedEvents.flush()
  const { events } = await person.audit.ofAccount({ topic: 'refusals' })
  expect(countOf(events, null)).toBe(refused)
})
