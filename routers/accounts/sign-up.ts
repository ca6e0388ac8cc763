import { z } from 'zod'
import type { Sql } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { hasAccounts, insertAccount } from '../../db/queries/accounts.ts'
import { consumeSetUpLink, lockSetUp } from '../../db/queries/sign-in.ts'
import { inTransaction } from '../../db/transaction.ts'
import { countSignUp } from '../api/attempt-limits.ts'
import { beginSession } from '../api/browser-session.ts'
import type { Context } from '../api/context.ts'
import { Problem } from '../api/problem.ts'
import { hashSecret } from '../api/secret.ts'
import { isOperator } from '../api/signed-in.ts'
import { acceptInvite } from '../spaces/invites/accept.ts'
import { hashPassword } from './password.ts'
import { issueRecoveryCodes } from './recovery/router.ts'
import { Me } from './schema.ts'

/** A new account. Its recovery codes are returned only here. */
export const SignedUp = Me.pick({ handle: true, has_password: true }).extend({
  recovery_codes: z.array(z.string()),
  /** The space of the invitation, if there was one. */
  joined: z.object({ subdomain: z.string(), name: z.string() }).nullable(),
})

interface NewAccount {
  handle: string
  password: string
  invite?: string | undefined
  set_up?: string | undefined
}

/**
 * Creates an account and redeems its invitation or set-up link, in one transaction.
 *
 * @throws `sign_up_closed`, `invite_not_found`, `link_not_found`, `handle_taken`, `rate_limited`
 */
export const signUp = async (ctx: Context, { handle, password, invite, set_up }: NewAccount) => {
  await countSignUp(ctx)
  if (ctx.core.signUp === 'invite' && invite === undefined && set_up === undefined)
    throw new Problem('sign_up_closed')
  // Nobody can take an operator's handle, except with the set-up link, which only the operator has.
  if (set_up === undefined && isOperator(ctx.core, handle)) throw new Problem('handle_taken')
  const passwordHash = await hashPassword(password, ctx.core.passwordCost)
  const { token, ...created } = await inTransaction(ctx.core.database, async sql => {
    if (set_up !== undefined) await redeemSetUpLink(sql, set_up)
    const id = newId()
    await insertAccount(sql, { id, handle, password_hash: passwordHash, created_at: new Date() })
    const joined =
      invite === undefined ? null : await acceptInvite(sql, invite, id, ctx.core.creationLimits.participants)
    const recovery_codes = await issueRecoveryCodes(sql, id)
    return { joined, recovery_codes, token: await beginSession(sql, ctx, id, 'new_account') }
  })
  ctx.setSession?.(token)
  return { handle, has_password: true, ...created }
}

/** Redeems the set-up link for the first account. The link is refused once an account exists. */
const redeemSetUpLink = async (sql: Sql, token: string) => {
  await lockSetUp(sql)
  if (!(await consumeSetUpLink(sql, hashSecret(token), new Date())) || (await hasAccounts(sql)))
    throw new Problem('link_not_found')
}
