import { expect, test } from 'vitest'
import { connect, exchange, PASSWORD, post, renew, useTestServiceWithoutLimits } from './support/flow.ts'

const service = useTestServiceWithoutLimits()

type Client = Awaited<ReturnType<typeof connect>>
const eventsOf = async ({ person }: Client) => {
  const { events } = await person.audit.ofAccount({ topic: 'credentials' })
  return events
    .filter(({ label }) => label === 'Test client')
    .map(({ kind, label, reason, actor_label }) => ({ kind, label, reason, actor_label }))
}
const issued = { kind: 'token_issued', label: 'Test client', reason: null, actor_label: null }
const revoked = { ...issued, kind: 'token_revoked' }

test.each<[string, (client: Client) => Promise<unknown>, object]>([
  [
    'when it revokes its access token',
    ({ clientId, access }) => post(service, '/oauth/revoke', { client_id: clientId, token: access }),
    { ...revoked, reason: 'app', actor_label: 'Test client' },
  ],
  [
    'when it revokes its refresh token',
    ({ clientId, refresh }) => post(service, '/oauth/revoke', { client_id: clientId, token: refresh }),
    { ...revoked, reason: 'app', actor_label: 'Test client' },
  ],
  ['when its code is used twice', client => exchange(service, client), { ...revoked, reason: 'code_reused' }],
  [
    'when an old refresh token is used',
    async client => {
      const renewed = await renew(service, client)
      await renew(service, { clientId: client.clientId, refresh: String(renewed.body.refresh_token) })
      await renew(service, client)
    },
    { ...revoked, reason: 'refresh_reused' },
  ],
  [
    'when a password change ends it',
    ({ person }) =>
      person.accounts.setPassword({
        current_password: PASSWORD,
        password: 'another horse battery',
        end_tokens: true,
      }),
    { ...revoked, reason: 'password_changed' },
  ],
  [
    'when the person disconnects it',
    async ({ person }) => person.tokens.revoke({ token_id: (await person.tokens.list())[0]!.id }),
    revoked,
  ],
])('the audit log records that a connected app lost its access %s', async (_, end, expected) => {
  const client = await connect(service)
  expect(await eventsOf(client)).toEqual([issued])
  await end(client)
  expect(await eventsOf(client)).toEqual([expected, issued])
})

test('a revocation request that is refused adds nothing to the audit log', async () => {
  const client = await connect(service)
  const other = await connect(service)
  await post(service, '/oauth/revoke', { client_id: other.clientId, token: client.access })
  expect(await eventsOf(client)).toEqual([issued])
  expect(await eventsOf(other)).toEqual([issued])
})
