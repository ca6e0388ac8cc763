import { describe, expect, test } from 'vitest'
import { sqlOf } from '../../db/orm.ts'
import { createResetLink } from '../../routers/accounts/links/create.ts'
import { approved, connect, exchange, opens, PASSWORD, renew, useWorldWithoutLimits } from './support/flow.ts'

const world = useWorldWithoutLimits()
const password = 'another horse battery'

describe('a password change', () => {
  test('keeps tokens and connected clients by default', async () => {
    const client = await connect(world)
    const token = await client.person.token('posts')
    await client.person.accounts.setPassword({ current_password: PASSWORD, password })
    expect([await opens(world, client.access), await opens(world, token)]).toEqual([true, true])
  })

  test('can end all tokens and clients, and codes that were not exchanged yet', async () => {
    const client = await connect(world)
    const { person } = client
    const token = await person.token('posts')
    await person.accounts.setPassword({ current_password: PASSWORD, password, end_tokens: true })
    expect([await opens(world, client.access), await opens(world, token)]).toEqual([false, false])
    expect((await renew(world, client)).status).toBe(400)
    expect(await person.tokens.list()).toEqual([])

    const pending = await approved(world)
    await pending.person.accounts.setPassword({ current_password: PASSWORD, password, end_tokens: true })
    expect((await exchange(world, pending)).status).toBe(400)
  })

  test('with a reset link can end all tokens and clients', async () => {
    const client = await connect(world)
    const sql = sqlOf(world.service.core.orm)
    const { handle } = client.person
    const { id } = await sql
      .selectFrom('accounts')
      .where('handle', '=', handle)
      .select('id')
      .executeTakeFirstOrThrow()
    const token = new URL(await createResetLink(sql, world.service.core.addresses, id)).hash.slice(1)
    await world.nobody().accounts.resetPassword({ token, password, end_tokens: true })
    expect(await opens(world, client.access)).toBe(false)
  })
})
