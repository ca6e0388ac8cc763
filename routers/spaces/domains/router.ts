import { z } from 'zod'
import {
  chooseMainDomain,
  deleteDomains,
  findDomain,
  findNamesTaken,
  insertDomains,
  listDomains,
  moveToMainDomain,
  requestCheck,
} from '../../../db/queries/domains.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { recordEvent } from '../../api/audit.ts'
import { subdomain } from '../../api/fields.ts'
import { inSpace, type ParticipantCall, type SpaceCall } from '../../api/in-space.ts'
import { invalid, Problem, refuseIfFull } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { router } from '../../api/trpc.ts'
import { canBeRegistered, domainName, namesOf } from './domain-name.ts'
import { Domain, toDomain } from './schema.ts'

/** Minimum time between two requested checks of a domain, in ms. */
const CHECK_PAUSE = 10_000

const Domains = z.object({
  domains: z.array(Domain),
  /** The main address of the site. */
  main_url: z.string(),
})

const domainOfSpace = z.strictObject({ subdomain, domain: domainName })

/** A space's own domains. */
export const domains = router({
  list: inSpace()
    .meta({
      tool: {
        name: 'list_domains',
        title: 'List the domains of the site',
        description:
          'The main address of the site, and the domains of its own: their state, the DNS records that their owner has to set, and what the last check saw. People add and remove domains in the dashboard.',
      },
    })
    .input(z.strictObject({ subdomain }))
    .output(Domains)
    .query(({ ctx }) => read(ctx)),

  /**
   * Adds a domain, with its `www.` name if it can be registered. The first domain of a space becomes its main address as
   * soon as it can be used.
   */
  add: inSpace({ ownersOnly: true })
    .input(domainOfSpace)
    .output(Domains)
    .mutation(async ({ ctx, input: { domain } }) => {
      const { base, names, fault } = await namesOf(ctx.core.addresses, domain)
      if (fault) throw invalid('domain', fault)
      const now = new Date()
      await change(ctx, async sql => {
        const spaceId = ctx.space.id
        if ((await findNamesTaken(sql, spaceId, names)).length > 0) throw new Problem('domain_taken')
        const existing = await listDomains(sql, spaceId)
        const others = existing.filter(({ base: other }) => other !== base)
        refuseIfFull(
          new Set(others.map(({ base }) => base)).size >= limits.domains,
          `A space can have at most ${limits.domains} domains.`,
        )
        const hasMain = existing.some(({ is_main }) => is_main)
        await insertDomains(
          sql,
          names.map(name => ({
            space_id: spaceId,
            name,
            base,
            is_main: !hasMain && name === domain,
            created_at: now,
            is_here: false,
            next_check_at: now,
            checks: 0,
          })),
        )
        await recordEvent(sql, { spaceId }, 'domain_added', ctx.caller, { label: base })
      })
      return read(ctx)
    }),

  /** Removes a domain together with its `www.` name. */
  remove: inSpace({ ownersOnly: true })
    .input(domainOfSpace)
    .output(Domains)
    .mutation(async ({ ctx, input: { domain } }) => {
      const { base } = await namesOf(ctx.core.addresses, domain)
      await change(ctx, async sql => {
        const spaceId = ctx.space.id
        if ((await deleteDomains(sql, spaceId, base)).length === 0) throw new Problem('domain_not_found')
        await recordEvent(sql, { spaceId }, 'domain_removed', ctx.caller, { label: base })
      })
      return read(ctx)
    }),

  /** Makes a domain the main address, as soon as it can be used; null makes the subdomain the main address. */
  choose: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, domain: domainName.nullable() }))
    .output(Domains)
    .mutation(async ({ ctx, input: { domain } }) => {
      await change(ctx, async sql => {
        const spaceId = ctx.space.id
        if (domain !== null && !(await findDomain(sql, spaceId, domain)))
          throw new Problem('domain_not_found')
        await chooseMainDomain(sql, spaceId, domain)
        const label = domain ?? ctx.space.subdomain
        await recordEvent(sql, { spaceId }, 'main_domain_changed', ctx.caller, { label })
      })
      return read(ctx)
    }),

  /** Requests a check of a domain and its `www.` name, which takes place within seconds. */
  check: inSpace({ ownersOnly: true })
    .input(domainOfSpace)
    .output(Domains)
    .mutation(async ({ ctx, input: { domain } }) => {
      const { base } = await namesOf(ctx.core.addresses, domain)
      await ctx.transaction(sql => requestCheck(sql, ctx.space.id, base, new Date(), CHECK_PAUSE))
      return read(ctx)
    }),
})

/** Changes the domains of the caller's space, and what follows from them. */
const change = async (
  { core, space, writeMembership }: ParticipantCall,
  work: (sql: Transaction) => Promise<void>,
): Promise<void> => {
  await writeMembership(async sql => {
    await work(sql)
    await moveToMainDomain(sql, space.id, core.addresses.scheme === 'https')
  })
  await core.verifiedDomains.refresh()
}

const read = async ({ core, sql, space }: SpaceCall): Promise<z.input<typeof Domains>> => {
  const rows = await listDomains(sql, space.id)
  const names = rows.map(({ name }) => name)
  const taken = new Set(await findNamesTaken(sql, space.id, names))
  const domains = await Promise.all(
    rows.map(async row =>
      toDomain(core.addresses, space, row, {
        isApex: await canBeRegistered(row.name),
        isTaken: taken.has(row.name),
      }),
    ),
  )
  const main = domains.find(({ state }) => state === 'main')
  return { domains, main_url: main?.url ?? core.addresses.site(space.subdomain) }
}
