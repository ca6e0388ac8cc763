import { z } from 'zod'
import { deleteSpace } from '../../db/deleted-spaces.ts'
import { type FileContent, withAllStaged } from '../../db/file-store/content.ts'
import { newId, withNewSpaceId } from '../../db/id.ts'
import { hasAllSpaces } from '../../db/queries/full.ts'
import { removeSpaceIcon, setSpaceIcon } from '../../db/queries/icons.ts'
import { insertParticipant } from '../../db/queries/participants.ts'
import { insertSpace, listSpacesOfAccount, updateSpaceName } from '../../db/queries/spaces.ts'
import type { Transaction } from '../../db/transaction.ts'
import { authorOf } from '../api/audit.ts'
import { spaceName, subdomain } from '../api/fields.ts'
import { inSpace } from '../api/in-space.ts'
import { invalid, refuseIfFull } from '../api/problem.ts'
import { starters } from '../api/rules.ts'
import { requireConfirmation, signedIn } from '../api/signed-in.ts'
import { router } from '../api/trpc.ts'
import { iconFrom, png } from '../content/icons/schema.ts'
import { fillSpace, prepareStarter } from '../content/starters/fill-space.ts'
import { newContents } from '../content/transfer/apply-plan.ts'
import { overview } from './overview.ts'
import { role } from './participants/schema.ts'
import { find, findItems, findTexts, SpaceSummary, toSummary } from './quick-search.ts'
import { consider, isReserved, naming, newSubdomain } from './site-address.ts'

export const spaces = router({
  /** The person's spaces. */
  list: signedIn
    .input(z.strictObject({}).optional())
    .output(z.array(SpaceSummary.extend({ role })))
    .query(async ({ ctx }) => {
      const rows = await listSpacesOfAccount(ctx.sql, ctx.session.accountId)
      return rows.map(row => ({ ...toSummary(ctx.core.addresses, row), role: row.role }))
    }),

  find,
  findItems,
  findTexts,
  overview,
  naming,
  consider,

  /** Creates an empty space, or one with the content of a starter. The caller becomes the first owner. */
  create: signedIn
    .meta({ isRefusedWhileSuspended: true })
    .input(z.strictObject({ subdomain: newSubdomain, name: spaceName, starter: z.enum(starters).optional() }))
    .output(SpaceSummary)
    .mutation(async ({ ctx, input }) => {
      if (isReserved(input.subdomain, ctx.core.addresses))
        throw invalid('subdomain', 'is reserved; choose another one')
      const { subdomain, name, starter } = input
      const { accountId } = ctx.session
      const content = starter && (await prepareStarter(ctx.core, accountId, starter))
      const now = new Date()
      const create = async (sql: Transaction, id: string, staged: readonly FileContent[]) => {
        const max = ctx.core.creationLimits.spaces
        refuseIfFull(
          await hasAllSpaces(sql, accountId, max),
          `You participate in ${max} spaces. Delete or leave one to create another.`,
        )
        await insertSpace(sql, { id, subdomain, name, created_at: now })
        await insertParticipant(sql, {
          id: newId(),
          space_id: id,
          account_id: accountId,
          joined_at: now,
        })
        if (starter && content) await fillSpace(sql, id, authorOf(ctx.session, ctx), starter, content, staged)
      }
      const contents = content ? newContents(content) : []
      await withNewSpaceId(id =>
        withAllStaged(ctx.core, id, contents, staged => ctx.writeAccount(sql => create(sql, id, staged))),
      )
      return toSummary(ctx.core.addresses, { subdomain, name, icon_id: null })
    }),

  rename: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, name: spaceName }))
    .output(SpaceSummary)
    .mutation(async ({ ctx, input }) => {
      await ctx.write(write => updateSpaceName(write, input.name))
      const { subdomain, iconId } = ctx.space
      return toSummary(ctx.core.addresses, { subdomain, name: input.name, icon_id: iconId })
    }),

  /** Sets the icon. Each icon has a new, immutable URL. */
  setIcon: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, png }))
    .output(SpaceSummary)
    .mutation(async ({ ctx, input }) => {
      const icon = { id: newId(), png: await iconFrom(input.png) }
      await ctx.write(write => setSpaceIcon(write, icon))
      return toSummary(ctx.core.addresses, { ...ctx.space, icon_id: icon.id })
    }),

  removeIcon: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(SpaceSummary)
    .mutation(async ({ ctx }) => {
      await ctx.write(removeSpaceIcon)
      return toSummary(ctx.core.addresses, { ...ctx.space, icon_id: null })
    }),

  /** Deletes the space and everything in it. Requires the subdomain as confirmation, and a recent sign-in. */
  delete: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, confirm: z.string() }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      if (input.confirm !== ctx.space.subdomain) throw invalid('confirm', `must be "${ctx.space.subdomain}"`)
      await requireConfirmation(ctx.sql, ctx.caller)
      await deleteSpace(ctx.core.database, ctx.space.id, ctx.check)
    }),
})
