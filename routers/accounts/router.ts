import { z } from 'zod'
import {
  accountUsage,
  countAccountContents,
  deleteAccount,
  hasAccounts,
  listKeysIssuedBy,
  listSpacesLeftBy,
  lockAccountWithSpaces,
  lockDeletions,
} from '../../db/queries/accounts.ts'
import { recordLeavingAllSpaces } from '../../db/queries/audit.ts'
import { handle } from '../api/fields.ts'
import { invalid, Problem } from '../api/problem.ts'
import { linkToken } from '../api/secret.ts'
import { isOperator, requireConfirmation, signedIn } from '../api/signed-in.ts'
import { procedure, router } from '../api/trpc.ts'
import { endAccess } from '../spaces/participants/end-access.ts'
import { relyingParty } from './passkeys/webauthn.ts'
import { resetPassword, setPassword } from './password-change.ts'
import { AccountUsage, DeletionSummary, endTokens, enteredPassword, Me, newPassword } from './schema.ts'
import { SignedUp, signUp } from './sign-up.ts'

export const accounts = router({
  /** The sign-in and sign-up options, for people who are not signed in. */
  entry: procedure
    .input(z.strictObject({}).optional())
    .output(z.object({ sign_up: z.enum(['open', 'invite']), is_set_up: z.boolean(), passkeys: z.boolean() }))
    .query(async ({ ctx }) => ({
      sign_up: ctx.core.signUp,
      is_set_up: await hasAccounts(ctx.core.database),
      passkeys: relyingParty(ctx.core.addresses) !== null,
    })),

  /**
   * Creates an account and signs in. With an invitation, the account also joins the space. If sign-up is closed, the
   * call requires an invitation, or the link for the first account, which the service prints when it starts.
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

  /** The signed-in account. */
  me: signedIn
    .input(z.strictObject({}).optional())
    .output(Me)
    .query(({ ctx: { core, session } }) => ({
      handle: session.handle,
      has_password: session.hasPassword,
      is_operator: isOperator(core, session.handle),
      suspension:
        session.suspendedAt && session.suspensionReason !== undefined
          ? { reason: session.suspensionReason, since: session.suspendedAt.toISOString() }
          : null,
    })),

  /**
   * Sets the password and ends all other sessions. Requires the current password, unless the session began with a
   * recovery code in the last ten minutes. An account without a password requires a recent sign-in instead.
   */
  setPassword: signedIn
    .input(
      z.strictObject({
        current_password: enteredPassword.optional(),
        password: newPassword,
        end_tokens: endTokens,
      }),
    )
    .output(z.void())
    .mutation(({ ctx, input }) => setPassword(ctx, ctx.session, input)),

  /**
   * Sets a new password with a link from an operator. Ends all sessions and replaces the recovery codes, so that an
   * intruder loses access. Passkeys stay; the person should review them.
   */
  resetPassword: procedure
    .input(z.strictObject({ token: linkToken, password: newPassword, end_tokens: endTokens }))
    .output(z.object({ handle: z.string(), recovery_codes: z.array(z.string()), passkeys: z.int() }))
    .mutation(({ ctx, input }) => resetPassword(ctx, input)),

  /** How many of each limited resource the account has, and how many it can have. */
  usage: signedIn
    .input(z.strictObject({}).optional())
    .output(z.object({ used: AccountUsage, limits: AccountUsage }))
    .query(async ({ ctx }) => {
      const used = await accountUsage(ctx.sql, ctx.session.accountId)
      const { spaces, posts, drafts, follows, mutes } = ctx.core.creationLimits
      return { used: used!, limits: { spaces, posts, drafts, follows, mutes } }
    }),

  /** Returns what deleting the account would delete, disable and keep, and what prevents the deletion. */
  leaving: signedIn
    .input(z.strictObject({}).optional())
    .output(DeletionSummary)
    .query(async ({ ctx }) => {
      const { accountId } = ctx.session
      const [counts, keys, spaces] = await Promise.all([
        countAccountContents(ctx.sql, accountId),
        listKeysIssuedBy(ctx.sql, accountId),
        listSpacesLeftBy(ctx.sql, accountId),
      ])
      const { alone, orphaned, others } = byOwners(spaces)
      return { ...counts, keys, spaces: others, alone_in: alone, only_owner_of: orphaned }
    }),

  /**
   * Deletes the account with its posts, comments, likes and tokens. The keys it issued stop working; the files it
   * uploaded stay. Requires the handle as confirmation, and a recent sign-in. Refused while the account is the only
   * participant of a space, so that no site is deleted by accident, or the only owner, so that it always has one.
   */
  delete: signedIn
    .input(z.strictObject({ confirm: z.string() }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { accountId, handle } = ctx.session
      if (input.confirm !== handle) throw invalid('confirm', `must be "${handle}"`)
      await requireConfirmation(ctx.sql, ctx.session)
      await ctx.transaction(async sql => {
        await lockDeletions(sql)
        if (!(await lockAccountWithSpaces(sql, accountId))) throw new Problem('sign_in_required')
        const { alone, orphaned } = byOwners(await listSpacesLeftBy(sql, accountId))
        const namesOf = (spaces: readonly { subdomain: string }[]) =>
          spaces.map(({ subdomain }) => subdomain).join(', ')
        if (alone.length > 0)
          throw new Problem('last_participant', {
            detail: `You are the only participant of ${namesOf(alone)}. Invite another person or delete the space first.`,
          })
        if (orphaned.length > 0)
          throw new Problem('last_owner', {
            detail: `You are the only owner of ${namesOf(orphaned)}. Make another participant an owner or delete the space first.`,
          })
        await endAccess(sql, { accountId, spaceId: null, actor: accountId }, 'left')
        await recordLeavingAllSpaces(sql, accountId)
        await deleteAccount(sql, accountId)
      })
      ctx.setSession?.(null)
    }),
})

/** Sorts the spaces of an account: those that would have no participant without it, no owner, or another owner. */
const byOwners = (spaces: Awaited<ReturnType<typeof listSpacesLeftBy>>) => {
  const of = (isOne: (space: (typeof spaces)[number]) => boolean) =>
    spaces.filter(isOne).map(({ subdomain, name }) => ({ subdomain, name }))
  return {
    alone: of(space => space.is_only_participant),
    orphaned: of(space => space.is_only_owner && !space.is_only_participant),
    others: of(space => !space.is_only_owner),
  }
}
