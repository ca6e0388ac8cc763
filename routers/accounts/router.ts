import { z } from 'zod'
import { sqlOf } from '../../db/orm.ts'
import {
  countAccountContents,
  listKeysIssuedBy,
  listSpacesWithSoleParticipant,
} from '../../db/queries/account-contents.ts'
import { deleteAccount, lockAccountWithSpaces, lockDeletions } from '../../db/queries/account-deletion.ts'
import { findAccount, hasAccounts } from '../../db/queries/accounts.ts'
import { inTransaction } from '../../db/transaction.ts'
import { isOperator } from '../access/as-operator.ts'
import { linkToken } from '../access/link-token.ts'
import { signedIn } from '../access/signed-in.ts'
import { invalid, Problem } from '../core/problem.ts'
import { procedure, router } from '../core/trpc.ts'
import { relyingParty } from './passkeys/relying-party.ts'
import { resetPassword, setPassword } from './password-change.ts'
import { handle, Leaving, Me, newPassword, triedPassword } from './schema.ts'
import { SignedUp, signUp } from './sign-up.ts'

export const accounts = router({
  /** What the service offers to people who are not signed in. */
  entry: procedure
    .input(z.strictObject({}).optional())
    .output(z.object({ sign_up: z.enum(['open', 'invite']), is_set_up: z.boolean(), passkeys: z.boolean() }))
    .query(async ({ ctx }) => ({
      sign_up: ctx.core.signUp,
      is_set_up: await hasAccounts(sqlOf(ctx.core.orm)),
      passkeys: relyingParty(ctx.core.addresses) !== null,
    })),

  /**
   * Makes an account and signs it in. With an invitation the account joins its space at the same moment. Where
   * accounts are made by invitation, it takes that, or the link that the first start has printed.
   */
  signUp: procedure
    .input(
      z.strictObject({
        handle,
        password: newPassword,
        invite: linkToken.optional(),
        set_up: linkToken.optional(),
      }),
    )
    .output(SignedUp)
    .mutation(({ ctx, input }) => signUp(ctx, input)),

  /** Who is signed in. */
  me: signedIn
    .input(z.strictObject({}).optional())
    .output(Me)
    .query(async ({ ctx }) => {
      const account = await findAccount(ctx.sql, ctx.session.accountId)
      if (!account) throw new Problem('sign_in_required')
      return {
        handle: account.handle,
        has_password: account.password_hash !== null,
        is_operator: isOperator(ctx.core, account.handle),
      }
    }),

  /**
   * Sets the password and ends every other session. Where there is a password, it has to be known, unless the
   * session began with a recovery code minutes ago.
   */
  setPassword: signedIn
    .input(z.strictObject({ current_password: triedPassword.optional(), password: newPassword }))
    .output(z.void())
    .mutation(({ ctx, input }) => setPassword(ctx, ctx.session, input)),

  /**
   * Sets a new password with a link that an operator has made. Ends every session and the recovery codes: whoever
   * had the account before is out. Passkeys stay, for the person to look through.
   */
  resetPassword: procedure
    .input(z.strictObject({ token: linkToken, password: newPassword }))
    .output(z.object({ handle: z.string(), recovery_codes: z.array(z.string()), passkeys: z.int() }))
    .mutation(({ ctx, input }) => resetPassword(ctx, input)),

  /** What deleting the account would take along, stop, and leave; and what stands in its way. */
  leaving: signedIn
    .input(z.strictObject({}).optional())
    .output(Leaving)
    .query(async ({ ctx }) => {
      const { accountId } = ctx.session
      const [counts, keys, spaces] = await Promise.all([
        countAccountContents(ctx.sql, accountId),
        listKeysIssuedBy(ctx.sql, accountId),
        listSpacesWithSoleParticipant(ctx.sql, accountId),
      ])
      const named = (isAlone: boolean) =>
        spaces
          .filter(space => space.is_only_participant === isAlone)
          .map(({ subdomain, name }) => ({ subdomain, name }))
      return { ...counts, keys, spaces: named(false), alone_in: named(true) }
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
      await inTransaction(ctx.core.orm, async sql => {
        await lockDeletions(sql)
        if (!(await lockAccountWithSpaces(sql, accountId))) throw new Problem('sign_in_required')
        const spaces = await listSpacesWithSoleParticipant(sql, accountId)
        const alone = spaces
          .filter(({ is_only_participant }) => is_only_participant)
          .map(({ subdomain }) => subdomain)
        if (alone.length > 0)
          throw new Problem('last_participant', {
            detail: `Nobody else takes part in ${alone.join(', ')}. Invite somebody there, or delete it first.`,
          })
        await deleteAccount(sql, accountId)
      })
      ctx.setSession?.(null)
    }),
})
