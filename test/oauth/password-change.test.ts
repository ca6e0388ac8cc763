import { describe, expect, test } from 'vitest'
import { createResetLink } from '../../routers/accounts/links/create.ts'
import {
  approved,
  connect,
  exchange,
  isAccepted,
  PASSWORD,
  renew,
  useTestServiceWithoutLimits,
} from './support/flow.ts'

const service = useTestServiceWithoutLimits()
const password = 'another horse battery'

describe('a password change', () => {
  test('keeps tokens and connected apps by default', async () => {
    const client = await connect(service)
    const token = await client.person.token('posts')
    await client.person.accounts.setPassword({ current_password: PASSWORD, password })
    expect([await isAccepted(service, client.access), await isAccepted(service, token)]).toEqual([true, true])
  })

  test('can revoke all tokens and connected apps, and unused authorization codes', async () => {
    const client = await connect(service)
    const { person } = client
    const token = await person.token('posts')
    await person.accounts.setPassword({ current_password: PASSWORD, password, end_tokens: true })
    expect([await isAccepted(service, client.access), await isAccepted(service, token)]).toEqual([
      false,
      false,
    ])
    expect((await renew(service, client)).status).toBe(400)
    expect(await person.tokens.list()).toEqual([])

    const pending = await approved(service)
    await pending.person.accounts.setPassword({ current_password: PASSWORD, password, end_tokens: true })
    expect((await exchange(service, pending)).status).toBe(400)
  })

  test('can also revoke all tokens and connected apps if it uses a reset link', async () => {
    const client = await connect(service)
    const sql = service.core.database
    const { handle } = client.person
    const { id } = await sql
      .selectFrom('accounts')
      .where('handle', '=', handle)
      .select('id')
      .executeTakeFirstOrThrow()
    const token = new URL(await createResetLink(sql, service.core.addresses, id)).hash.slice(1)
    await service.anonymous().accounts.resetPassword({ token, password, end_tokens: true })
    expect(await isAccepted(service, client.access)).toBe(false)
  })
})
