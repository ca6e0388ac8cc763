import { z } from 'zod'
import { MissingRowError, withAccountLocked } from '../../../db/locks.ts'
import { findAccountByHandle, findPasswordHash, lockAccount } from '../../../db/queries/accounts.ts'
import { checkPassword } from '../../../db/queries/caller-checks.ts'
import {
  confirmSession,
  deleteOtherSessions,
  deleteSession,
  deleteSessionById,
  listSessions,
} from '../../../db/queries/sessions.ts'
import { consumeRecoveryCode, consumeSignInLink, countRecoveryCodes } from '../../../db/queries/sign-in.ts'
import { inTransaction } from '../../../db/transaction.ts'
import {
  countAccount,
  countClient,
  countPasswordAttempt,
  countRecoveryAttempt,
  noteFailedConfirmation,
  noteFailedSignIn,
} from '../../api/attempt-limits.ts'
import { beginSession, idleSince } from '../../api/browser-session.ts'
import { handle, id, timestamp } from '../../api/fields.ts'
import { invalid, Problem } from '../../api/problem.ts'
import { hashSecret, linkToken } from '../../api/secret.ts'
import { signedIn } from '../../api/signed-in.ts'
import { procedure, router } from '../../api/trpc.ts'
import { verifyPassword } from '../password.ts'
import { hashCode } from '../recovery/router.ts'
import { enteredPassword } from '../schema.ts'
import { describeBrowser } from './browser.ts'

const SignedIn = z.object({ handle: z.string() })

/** A recovery code to check. */
const enteredCode = z.string().max(100, { error: 'is too long' })

const OpenSession = z.object({
  id: z.string(),
  /** Browser and system, such as "Firefox on Windows"; null when unknown. */
  client: z.string().nullable(),
  created_at: timestamp,
  last_seen_at: timestamp,
  is_current: z.boolean(),
})

export const sessions = router({
  /** Signs in with a password. */
  create: procedure
    .input(z.strictObject({ handle, password: enteredPassword }))
    .output(SignedIn)
    .mutation(async ({ ctx, input }) => {
      await countPasswordAttempt(ctx, input.handle)
      const account = await findAccountByHandle(ctx.core.database, input.handle)
      const isRight = await verifyPassword(account?.password_hash ?? null, input.password)
      if (!account || !isRight) {
        if (account) noteFailedSignIn(ctx, account.id, 'password')
        throw new Problem('sign_in_failed', { detail: 'The handle or password is wrong.' })
      }
      const { id, password_hash } = account
      // Under the lock, check that the verified password is still the password of the account. Otherwise, someone who
      // knows the old password could sign in while it is being changed.
      const token = await withAccountLocked(
        ctx.core.database,
        id,
        sql => beginSession(sql, ctx, id, 'password'),
        sql => checkPassword(sql, id, password_hash ?? ''),
      ).catch((error: unknown) => {
        throw error instanceof MissingRowError ? new Problem('sign_in_failed') : error
      })
      ctx.setSession?.(token)
      return { handle: account.handle }
    }),

  /** Signs in with a one-time link. */
  createFromLink: procedure
    .input(z.strictObject({ token: linkToken }))
    .output(SignedIn)
    .mutation(async ({ ctx, input }) => {
      await countClient(ctx)
      const { token, handle } = await inTransaction(ctx.core.database, async sql => {
        const account = await consumeSignInLink(sql, 'sign_in', hashSecret(input.token), new Date())
        if (!account) throw new Problem('sign_in_failed', { detail: 'The link was used or has expired.' })
        return { handle: account.handle, token: await beginSession(sql, ctx, account.id, 'link') }
      })
      ctx.setSession?.(token)
      return { handle }
    }),

  /**
   * Signs in with a one-time recovery code. For ten minutes the session can set a new password without the old one.
   */
  createFromCode: procedure
    .input(z.strictObject({ handle, code: enteredCode }))
    .output(SignedIn.extend({ codes_left: z.int() }))
    .mutation(async ({ ctx, input }) => {
      await countRecoveryAttempt(ctx, input.handle)
      const { token, ...result } = await inTransaction(ctx.core.database, async sql => {
        const account = await findAccountByHandle(sql, input.handle)
        // Lock the account before its recovery code. Deleting an account also locks the account first.
        const isRight =
          account &&
          (await lockAccount(sql, account.id)) &&
          (await consumeRecoveryCode(sql, account.id, hashCode(input.code)))
        if (!isRight) {
          if (account) noteFailedSignIn(ctx, account.id, 'recovery_code')
          throw new Problem('sign_in_failed', {
            detail: 'The handle or code is wrong, or the code was used before.',
          })
        }
        return {
          handle: account.handle,
          codes_left: (await countRecoveryCodes(sql, account.id)).left,
          token: await beginSession(sql, ctx, account.id, 'recovery_code', { mayReset: true }),
        }
      })
      ctx.setSession?.(token)
      return result
    }),

  /** Re-authenticates with the password. A re-authentication stays valid for ten minutes. */
  confirm: signedIn
    .input(z.strictObject({ password: enteredPassword }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await countAccount(ctx, ctx.session.accountId)
      const account = await findPasswordHash(ctx.sql, ctx.session.accountId)
      if (!(await verifyPassword(account?.password_hash ?? null, input.password))) {
        noteFailedConfirmation(ctx, ctx.session.accountId)
        throw invalid('password', 'this is not your password')
      }
      await ctx.transaction(sql => confirmSession(sql, ctx.session.tokenHash, new Date()))
    }),

  /**
   * Re-authenticates with an unused recovery code, for accounts without a password. The code is used up. Unlike
   * `createFromCode`, this procedure does not let the session set a new password without the old one.
   */
  confirmWithCode: signedIn
    .input(z.strictObject({ code: enteredCode }))
    .output(z.object({ codes_left: z.int() }))
    .mutation(async ({ ctx, input }) => {
      const { accountId, tokenHash } = ctx.session
      await countAccount(ctx, accountId)
      const left = await ctx.writeAccount(async sql => {
        if (!(await consumeRecoveryCode(sql, accountId, hashCode(input.code)))) return null
        await confirmSession(sql, tokenHash, new Date())
        return (await countRecoveryCodes(sql, accountId)).left
      })
      if (left === null) {
        noteFailedConfirmation(ctx, accountId)
        throw invalid('code', 'this is not one of your unused recovery codes')
      }
      return { codes_left: left }
    }),

  /** The sessions of the account, most recently used first. */
  list: signedIn
    .input(z.strictObject({}).optional())
    .output(z.array(OpenSession))
    .query(async ({ ctx }) => {
      const now = new Date()
      const rows = await listSessions(ctx.sql, ctx.session.accountId, now, idleSince(now))
      return rows.map(row => ({
        id: row.id,
        client: describeBrowser(row.user_agent),
        created_at: row.created_at.toISOString(),
        last_seen_at: row.last_seen_at.toISOString(),
        is_current: ctx.session.tokenHash.equals(row.token_hash),
      }))
    }),

  /** Ends a session of the account. Ending the current one signs out. */
  end: signedIn
    .input(z.strictObject({ session_id: id('session') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const ended = await ctx.transaction(sql =>
        deleteSessionById(sql, ctx.session.accountId, input.session_id),
      )
      if (!ended) throw new Problem('session_not_found')
      if (ctx.session.tokenHash.equals(ended)) ctx.setSession?.(null)
    }),

  /** Ends all sessions except the current one. */
  endOthers: signedIn
    .input(z.strictObject({}).optional())
    .output(z.void())
    .mutation(({ ctx }) =>
      ctx.writeAccount(async sql => {
        await deleteOtherSessions(sql, ctx.session.accountId, ctx.session.tokenHash)
      }),
    ),

  /** Signs out. */
  delete: signedIn
    .input(z.strictObject({}).optional())
    .output(z.void())
    .mutation(async ({ ctx }) => {
      await deleteSession(ctx.sql, ctx.session.tokenHash)
      ctx.setSession?.(null)
    }),
})
