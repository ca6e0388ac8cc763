import { z } from 'zod'
import { Account } from '../../db/entities/account.ts'
import { sqlOf } from '../../db/orm.ts'
import { findAccountByHandle } from '../../db/queries/accounts.ts'
import { deleteSession, takeSignInLink } from '../../db/queries/sessions.ts'
import type { RateLimiter } from '../access/rate-limit.ts'
import { hashSecret } from '../access/secret.ts'
import { beginSession } from '../access/session.ts'
import { signedIn } from '../access/signed-in.ts'
import { verifyPassword } from '../accounts/password.ts'
import { handle, triedPassword } from '../accounts/schema.ts'
import { Problem } from '../problem.ts'
import { procedure, router } from '../trpc.ts'

const SignedIn = z.object({ handle: z.string() })

/** Counts an attempt to sign in and refuses one too many. */
const count = async (limiter: RateLimiter, who: string) => {
  const { refused, reset } = await limiter.consume(who)
  if (refused)
    throw new Problem('rate_limited', {
      detail: `Too many attempts to sign in; wait ${reset} s.`,
      retryAfter: reset,
    })
}

export const sessions = router({
  /** Signs in with a password. Attempts are counted by network address and by handle. */
  create: procedure
    .input(z.strictObject({ handle, password: triedPassword }))
    .output(SignedIn)
    .mutation(async ({ ctx, input }) => {
      await count(ctx.core.attempts.byClient, ctx.client ?? 'unknown')
      await count(ctx.core.attempts.byHandle, input.handle.toLowerCase())
      const account = await findAccountByHandle(sqlOf(ctx.em), input.handle)
      const isRight = await verifyPassword(account?.password_hash ?? null, input.password)
      if (!account || !isRight) throw new Problem('sign_in_failed')
      ctx.setSession?.(await beginSession(sqlOf(ctx.em), account.id))
      return { handle: account.handle }
    }),

  /** Signs in with a one-time link. */
  createFromLink: procedure
    .input(z.strictObject({ token: z.string().max(100) }))
    .output(SignedIn)
    .mutation(async ({ ctx, input }) => {
      await count(ctx.core.attempts.byClient, ctx.client ?? 'unknown')
      const accountId = await takeSignInLink(sqlOf(ctx.em), 'sign_in', hashSecret(input.token), new Date())
      if (accountId === undefined) throw new Problem('sign_in_failed')
      const account = await ctx.em.findOneOrFail(Account, accountId)
      ctx.setSession?.(await beginSession(sqlOf(ctx.em), account.id))
      return { handle: account.handle }
    }),

  /** Signs out. */
  delete: signedIn
    .input(z.strictObject({}).optional())
    .output(z.void())
    .mutation(async ({ ctx }) => {
      await deleteSession(ctx.sql, ctx.session.tokenHash)
      ctx.setSession?.(null)
    }),
})
