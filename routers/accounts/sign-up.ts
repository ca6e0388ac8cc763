import { z } from 'zod'
import { newId } from '../../db/id.ts'
import type { Sql } from '../../db/orm.ts'
import { hasAccounts, insertAccount } from '../../db/queries/accounts.ts'
import { consumeSetUpLink, lockSetUp } from '../../db/queries/sign-in-links.ts'
import { inTransaction } from '../../db/transaction.ts'
import { isOperator } from '../access/as-operator.ts'
import { countSignUp } from '../access/attempts.ts'
import { hashSecret } from '../access/secret.ts'
import { beginSession } from '../access/session.ts'
import type { Context } from '../core/context.ts'
import { Problem } from '../core/problem.ts'
import { acceptInvite } from '../spaces/invites/accept.ts'
import { hashPassword } from './password.ts'
import { giveRecoveryCodes } from './recovery/codes.ts'
import { Me } from './schema.ts'

/** A new account: its recovery codes are in this answer and nowhere else. */
export const SignedUp = Me.pick({ handle: true, has_password: true }).extend({
  recovery_codes: z.array(z.string()),
  /** The space that an invitation was for. */
  joined: z.object({ subdomain: z.string(), name: z.string() }).nullable(),
})

interface NewAccount {
  handle: string
  password: string
  invite?: string | undefined
  set_up?: string | undefined
}

/**
 * Makes an account, all or nothing with what its invitation or set-up link does.
 *
 * @throws `sign_up_closed`, `invite_not_found`, `link_not_found`, `handle_taken`, `rate_limited`
 */
export const signUp = async (ctx: Context, { handle, password, invite, set_up }: NewAccount) => {
  await countSignUp(ctx)
  if (ctx.core.signUp === 'invite' && invite === undefined && set_up === undefined)
    throw new Problem('sign_up_closed')
  // A handle that makes an operator goes to nobody; only the first account of all shows that it is the service's own.
  if (set_up === undefined && isOperator(ctx.core, handle)) throw new Problem('handle_taken')
  const passwordHash = await hashPassword(password)
  const { token, ...made } = await inTransaction(ctx.core.orm, async sql => {
    if (set_up !== undefined) await spendSetUpLink(sql, set_up)
    const id = newId()
    await insertAccount(sql, { id, handle, password_hash: passwordHash, created_at: new Date() })
    const joined =
      invite === undefined ? null : await acceptInvite(sql, invite, id, ctx.core.creationLimits.participants)
    const recovery_codes = await giveRecoveryCodes(sql, id)
    return { joined, recovery_codes, token: await beginSession(sql, ctx, id) }
  })
  ctx.setSession?.(token)
  return { handle, has_password: true, ...made }
}

/** Spends the set-up link on the first account of all; one that outlives that opens nothing. */
const spendSetUpLink = async (sql: Sql, token: string) => {
  await lockSetUp(sql)
  if (!(await consumeSetUpLink(sql, hashSecret(token), new Date())) || (await hasAccounts(sql)))
    throw new Problem('link_not_found')
}
