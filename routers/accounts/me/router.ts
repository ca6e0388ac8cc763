import { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { findProfile, updateProfile } from '../../../db/queries/accounts.ts'
import { deleteIcon, replaceIcon } from '../../../db/queries/icons.ts'
import { asAccount } from '../../api/as-account.ts'
import type { Context } from '../../api/context.ts'
import { accountTagOf, requireTag } from '../../api/precondition.ts'
import { Problem } from '../../api/problem.ts'
import { limits, userRules } from '../../api/rules.ts'
import type { UserScope } from '../../api/scopes.ts'
import { isOperator } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { iconFrom, png } from '../../content/icons/schema.ts'
import { Me, MeChange } from './schema.ts'

const tags = ['Profile']

type CallerContext = Context & { accountId: string; scopes: readonly UserScope[] }

/** Reads the account as the API returns it. */
const readMe = async ({ core, accountId, scopes }: CallerContext, sql: Sql): Promise<z.output<typeof Me>> => {
  const row = await findProfile(sql, accountId)
  // The account was deleted after authentication, and its token with it.
  if (!row) throw new Problem('unauthorized')
  return {
    handle: row.handle,
    display_name: row.display_name,
    icon_url: row.icon_id === null ? null : core.addresses.icon(row.icon_id),
    bio: row.bio,
    scopes: [...scopes],
    rules: userRules,
    rate_limit: { requests_per_minute: core.calls.limit },
  }
}

/** Refuses a write whose precondition the account does not meet. Call this function under the account's lock. */
const requireProfile = async (ctx: CallerContext, sql: Sql): Promise<void> => {
  if (ctx.precondition) requireTag(ctx.precondition, accountTagOf(await readMe(ctx, sql)))
}

export const me = router({
  get: asAccount()
    .meta({
      openapi: {
        operationId: 'getMe',
        method: 'GET',
        path: '/me',
        tags,
        summary: 'Read your profile',
        description: 'Returns the account, the scopes of the token, and the rules and limits that apply.',
      },
      conditional: [],
      answersAccount: true,
      tool: {
        name: 'get_me',
        description:
          'Call this first. Returns the account you act as, the scopes of your token, and the limits for your profile and posts.',
      },
    })
    .input(z.strictObject({}))
    .output(Me)
    .query(({ ctx }) => readMe(ctx, ctx.sql)),

  update: asAccount('profile')
    .meta({
      isRefusedWhileSuspended: true,
      openapi: {
        operationId: 'updateProfile',
        method: 'PATCH',
        path: '/me',
        tags,
        summary: 'Change your profile',
        description:
          'Changes only the fields that you send. If one is invalid, nothing changes. White space around a handle and a `@` before it are removed. With a new handle, the old profile URL stops working, without a redirect.',
      },
      errors: ['handle_taken'],
      conditional: ['If-Match'],
      answersAccount: true,
      tool: {
        name: 'update_profile',
        description:
          'Changes only the fields you send. If one is invalid, nothing changes. With a new handle, the old one is immediately free for others, and the old profile URL stops working. Returns the profile.',
      },
    })
    .input(MeChange)
    .output(Me)
    .mutation(async ({ ctx, input }) => {
      const { handle, display_name, bio } = input
      // Nobody can take an operator's handle, but operators can change the case of their own.
      const isNew = handle?.toLowerCase() !== ctx.handle.toLowerCase()
      if (handle !== undefined && isNew && isOperator(ctx.core, handle)) throw new Problem('handle_taken')
      const fields = {
        ...(handle === undefined ? {} : { handle }),
        ...(display_name === undefined ? {} : { display_name: display_name || null }),
        ...(bio === undefined ? {} : { bio: bio || null }),
      }
      if (Object.keys(fields).length === 0 && !ctx.precondition) return readMe(ctx, ctx.sql)
      // Read the changed profile before the commit. If this read fails, the caller gets a 500, and the transaction
      // changes nothing.
      return ctx.writeAccount(async sql => {
        await requireProfile(ctx, sql)
        if (Object.keys(fields).length > 0) await updateProfile(sql, ctx.accountId, fields)
        return readMe(ctx, sql)
      })
    }),

  setIcon: asAccount('profile')
    .meta({
      isRefusedWhileSuspended: true,
      openapi: {
        operationId: 'setProfileIcon',
        method: 'PUT',
        path: '/me/icon',
        tags,
        summary: 'Set your picture',
        description:
          'The picture is rebuilt from its pixels, so that metadata is dropped. It is neither cropped nor scaled.',
      },
      bodyLimit: limits.iconBody,
      conditional: ['If-Match'],
      answersAccount: true,
      tool: {
        name: 'set_profile_icon',
        description:
          'Replaces the profile picture. It is neither scaled nor cropped, so resize it first. Returns the profile with the new icon_url.',
        isIdempotent: false,
      },
    })
    .input(z.strictObject({ png }))
    .output(Me)
    .mutation(async ({ ctx, input }) => {
      const icon = { id: newId(), png: await iconFrom(input.png) }
      return ctx.writeAccount(async sql => {
        await requireProfile(ctx, sql)
        await replaceIcon(sql, { account_id: ctx.accountId }, icon)
        return readMe(ctx, sql)
      })
    }),

  removeIcon: asAccount('profile')
    .meta({
      openapi: {
        operationId: 'removeProfileIcon',
        method: 'DELETE',
        path: '/me/icon',
        tags,
        summary: 'Remove your picture',
        description:
          'The first character of your name is shown instead. Also succeeds when there is no picture.',
      },
      status: 204,
      conditional: ['If-Match'],
      tool: {
        name: 'remove_profile_icon',
        description:
          'Removes the profile picture permanently; the first character of the name is shown instead. Also succeeds when there is none.',
      },
    })
    .input(z.strictObject({}))
    .output(z.void())
    .mutation(async ({ ctx }) => {
      await ctx.writeAccount(async sql => {
        await requireProfile(ctx, sql)
        await deleteIcon(sql, { account_id: ctx.accountId })
      })
    }),
})
