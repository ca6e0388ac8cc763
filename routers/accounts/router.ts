import { z } from 'zod'
import { Account } from '../../db/entities/account.ts'
import { newId } from '../../db/id.ts'
import { sqlOf } from '../../db/orm.ts'
import {
  deleteAccount,
  lockAccountWithSpaces,
  lockDeletions,
  spacesWithNobodyElse,
} from '../../db/queries/account-deletion.ts'
import { deleteOtherSessions } from '../../db/queries/sessions.ts'
import { retried } from '../../db/retried.ts'
import { beginSession } from '../access/session.ts'
import { signedIn } from '../access/signed-in.ts'
import { invalid, Problem } from '../problem.ts'
import { procedure, router } from '../trpc.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { handle, newPassword, triedPassword } from './schema.ts'

const Me = z.object({ handle: z.string(), has_password: z.boolean() })

export const accounts = router({
  /** Makes an account and signs it in. */
  signUp: procedure
    .input(z.strictObject({ handle, password: newPassword }))
    .output(Me)
    .mutation(async ({ ctx, input }) => {
      const passwordHash = await hashPassword(input.password)
      const token = await ctx.em.transactional(async em => {
        const account = em.create(Account, {
          id: newId(),
          handle: input.handle,
          passwordHash,
          createdAt: new Date(),
        })
        await em.flush()
        return beginSession(sqlOf(em), account.id)
      })
      ctx.setSession?.(token)
      return { handle: input.handle, has_password: true }
    }),

  /** Who is signed in. */
  me: signedIn
    .input(z.strictObject({}).optional())
    .output(Me)
    .query(async ({ ctx }) => {
      const account = await ctx.em.findOneOrFail(Account, ctx.session.accountId)
      return { handle: account.handle, has_password: typeof account.passwordHash === 'string' }
    }),

  /** Sets the password and ends every other session. Where there is a password, it has to be known. */
  setPassword: signedIn
    .input(z.strictObject({ current_password: triedPassword.optional(), password: newPassword }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const account = await ctx.em.findOneOrFail(Account, ctx.session.accountId)
      const passwordHash = account.passwordHash ?? null
      if (passwordHash !== null && !(await verifyPassword(passwordHash, input.current_password ?? '')))
        throw invalid('current_password', 'is not the current password')
      account.passwordHash = await hashPassword(input.password)
      await ctx.em.transactional(async em => {
        await em.flush()
        await deleteOtherSessions(sqlOf(em), account.id, ctx.session.tokenHash)
      })
    }),

  /**
   * Deletes the account with its posts, comments, likes and tokens; the keys it issued stop, the files it uploaded
   * stay (decision 39). The handle has to be typed again. Refused while a space would be left with nobody: to
   * delete a site along with an account is not for anybody to do in passing.
   */
  delete: signedIn
    .input(z.strictObject({ confirm: z.string() }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { accountId, handle } = ctx.session
      if (input.confirm !== handle) throw invalid('confirm', `must be "${handle}"`)
      await retried(() =>
        ctx.em.transactional(async em => {
          const sql = sqlOf(em)
          await lockDeletions(sql)
          if (!(await lockAccountWithSpaces(sql, accountId))) throw new Problem('sign_in_required')
          const spaces = await spacesWithNobodyElse(sql, accountId)
          if (spaces.length > 0)
            throw new Problem('last_participant', {
              detail: `Nobody else takes part in ${spaces.join(', ')}. Invite somebody there, or delete it first.`,
            })
          await deleteAccount(sql, accountId)
        }),
      )
      ctx.setSession?.(null)
    }),
})
