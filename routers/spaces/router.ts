import { z } from 'zod'
import { Participant } from '../../db/entities/participant.ts'
import { Space } from '../../db/entities/space.ts'
import { newId } from '../../db/id.ts'
import { type Em, type Sql, sqlOf } from '../../db/orm.ts'
import { deleteIcon, replaceIcon } from '../../db/queries/icons.ts'
import { listSpacesOf, lockSpace } from '../../db/queries/spaces.ts'
import { asParticipant, signedIn } from '../access/signed-in.ts'
import { iconFrom, png } from '../content/icons/schema.ts'
import type { Addresses } from '../core/addresses.ts'
import { subdomain, text } from '../core/fields.ts'
import { invalid, Problem } from '../core/problem.ts'
import { limits } from '../core/rules.ts'
import { router } from '../core/trpc.ts'
import { consider, naming } from './naming.ts'
import { overview } from './overview.ts'
import { isReserved, newSubdomain } from './subdomain.ts'

const name = text({ min: 1, max: limits.spaceName, trim: true })

const SpaceSummary = z.object({
  subdomain: z.string(),
  name: z.string(),
  url: z.string(),
  icon_url: z.string().nullable(),
})

const shown = (addresses: Addresses, row: { subdomain: string; name: string; icon_id: string | null }) => ({
  subdomain: row.subdomain,
  name: row.name,
  url: addresses.site(row.subdomain),
  icon_url: row.icon_id === null ? null : addresses.icon(row.icon_id),
})

/** Changes what a site shows of its space, under the space's lock. */
const change = (em: Em, spaceId: string, work: (sql: Sql) => Promise<unknown>) =>
  em.transactional(async inner => {
    const sql = sqlOf(inner)
    if (!(await lockSpace(sql, spaceId))) throw new Problem('space_not_found')
    await work(sql)
  })

export const spaces = router({
  /** The spaces one takes part in. */
  list: signedIn
    .input(z.strictObject({}).optional())
    .output(z.array(SpaceSummary))
    .query(async ({ ctx }) => {
      const rows = await listSpacesOf(ctx.sql, ctx.session.accountId)
      return rows.map(row => shown(ctx.core.addresses, row))
    }),

  overview,
  naming,
  consider,

  /** Makes a space, with oneself as its first participant. */
  create: signedIn
    .input(z.strictObject({ subdomain: newSubdomain, name }))
    .output(SpaceSummary)
    .mutation(async ({ ctx, input }) => {
      if (isReserved(input.subdomain, ctx.core.addresses))
        throw invalid('subdomain', 'is reserved; choose another one')
      const now = new Date()
      await ctx.em.transactional(async em => {
        const space = em.create(Space, { id: newId(), ...input, createdAt: now })
        em.create(Participant, {
          id: newId(),
          space: space.id,
          account: ctx.session.accountId,
          joinedAt: now,
        })
        await em.flush()
      })
      return shown(ctx.core.addresses, { ...input, icon_id: null })
    }),

  rename: asParticipant
    .input(z.strictObject({ subdomain, name }))
    .output(SpaceSummary)
    .mutation(async ({ ctx, input }) => {
      await change(ctx.em, ctx.space.id, sql =>
        sql.updateTable('spaces').set({ name: input.name }).where('id', '=', ctx.space.id).execute(),
      )
      const { subdomain, iconId } = ctx.space
      return shown(ctx.core.addresses, { subdomain, name: input.name, icon_id: iconId })
    }),

  /** Sets the icon. Its address is new each time and never changes what it shows. */
  setIcon: asParticipant
    .input(z.strictObject({ subdomain, png }))
    .output(SpaceSummary)
    .mutation(async ({ ctx, input }) => {
      const icon = { id: newId(), png: await iconFrom(input.png) }
      await change(ctx.em, ctx.space.id, sql => replaceIcon(sql, { space_id: ctx.space.id }, icon))
      return shown(ctx.core.addresses, { ...ctx.space, icon_id: icon.id })
    }),

  removeIcon: asParticipant
    .input(z.strictObject({ subdomain }))
    .output(SpaceSummary)
    .mutation(async ({ ctx }) => {
      await change(ctx.em, ctx.space.id, sql => deleteIcon(sql, { space_id: ctx.space.id }))
      return shown(ctx.core.addresses, { ...ctx.space, icon_id: null })
    }),

  /** Deletes the space and everything in it. The subdomain has to be typed again. */
  delete: asParticipant
    .input(z.strictObject({ subdomain, confirm: z.string() }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      if (input.confirm !== ctx.space.subdomain) throw invalid('confirm', `must be "${ctx.space.subdomain}"`)
      await ctx.em.nativeDelete(Space, { id: ctx.space.id })
    }),
})
