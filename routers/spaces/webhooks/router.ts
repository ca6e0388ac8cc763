import { z } from 'zod'
import { newId } from '../../../db/id.ts'
import { lockAccount } from '../../../db/queries/accounts.ts'
import {
  countWebhooks,
  deleteWebhook,
  findDeliveryBody,
  insertDelivery,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  lockWebhook,
  moveNextDelivery,
  requestDelivery,
  updateWebhook,
} from '../../../db/queries/webhooks.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { recordEvent } from '../../api/audit.ts'
import { id, subdomain } from '../../api/fields.ts'
import { inSpace, type ParticipantCall } from '../../api/in-space.ts'
import { Problem, refuseIfFull } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { requireConfirmation } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { testBody } from './events.ts'
import { Delivery, toDelivery, toWebhook, Webhook, webhookEvents, webhookUrl } from './schema.ts'
import { newWebhookSecret } from './signature.ts'

const HOUR = 60 * 60_000

const webhookOfSpace = { subdomain, webhook_id: id('webhook') }
const deliveryOfWebhook = { ...webhookOfSpace, delivery_id: id('delivery') }

/** The webhooks of a space: addresses that are told what changes in it. Only owners can manage them, no key. */
export const webhooks = router({
  /** The webhooks of a space, the oldest first. */
  list: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(z.array(Webhook))
    .query(async ({ ctx }) => {
      const now = new Date()
      return (await listWebhooks(ctx.sql, ctx.space.id)).map(row => toWebhook(row, now))
    }),

  /**
   * Adds a webhook. The secret is returned only here. Nothing but tests is sent until the address has accepted one.
   * Requires a recent sign-in.
   */
  add: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, url: webhookUrl, events: webhookEvents }))
    .output(z.object({ id: z.string(), secret: z.string() }))
    .mutation(async ({ ctx, input: { url, events } }) => {
      await requireConfirmation(ctx.sql, ctx.caller)
      const webhook = { id: newId(), url, events, secret: newWebhookSecret() }
      await ctx.writeMembership(async sql => {
        // The space is locked; the account has webhooks in other spaces too.
        await lockAccount(sql, ctx.accountId)
        const { ofSpace, ofAccount } = await countWebhooks(sql, ctx.space.id, ctx.accountId)
        refuseIfFull(ofSpace >= limits.webhooks, `A space can have at most ${limits.webhooks} webhooks.`)
        refuseIfFull(
          ofAccount >= limits.webhooksOfAccount,
          `An account can have at most ${limits.webhooksOfAccount} webhooks, in all spaces together.`,
        )
        await insertWebhook(sql, {
          ...webhook,
          space_id: ctx.space.id,
          owner_id: ctx.participantId,
          created_at: new Date(),
          state: 'untested',
        })
        await record(sql, ctx, 'webhook_added', url)
      })
      return { id: webhook.id, secret: webhook.secret }
    }),

  /** Removes a webhook with its deliveries. */
  remove: inSpace({ ownersOnly: true })
    .input(z.strictObject(webhookOfSpace))
    .output(z.void())
    .mutation(({ ctx, input }) =>
      change(ctx, input.webhook_id, async (sql, { url }) => {
        await deleteWebhook(sql, input.webhook_id)
        await record(sql, ctx, 'webhook_removed', url)
      }),
    ),

  /**
   * Replaces the secret. The new one is returned only here. For a day, messages are signed with both, so that receivers
   * can be changed one after the other. Requires a recent sign-in.
   */
  rotate: inSpace({ ownersOnly: true })
    .input(z.strictObject(webhookOfSpace))
    .output(z.object({ secret: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await requireConfirmation(ctx.sql, ctx.caller)
      const secret = newWebhookSecret()
      await change(ctx, input.webhook_id, async (sql, webhook) => {
        await updateWebhook(sql, webhook.id, {
          secret,
          previous_secret: webhook.secret,
          previous_until: new Date(Date.now() + limits.webhookOverlapHours * HOUR),
        })
        await record(sql, ctx, 'webhook_secret_rotated', webhook.url)
      })
      return { secret }
    }),

  /**
   * Switches a webhook off, or on again. It then goes on with the first change that it has not delivered, or says which
   * are missing because the history no longer has them.
   */
  switch: inSpace({ ownersOnly: true })
    .input(z.strictObject({ ...webhookOfSpace, is_on: z.boolean() }))
    .output(z.void())
    .mutation(({ ctx, input }) =>
      change(ctx, input.webhook_id, async (sql, { id, url, state }) => {
        if (state === 'untested') throw new Problem('webhook_untested')
        if ((state === 'active') === input.is_on) return
        const now = new Date()
        await moveNextDelivery(sql, id, input.is_on ? now : null)
        await updateWebhook(
          sql,
          id,
          input.is_on
            ? { state: 'active', off_reason: null, off_at: null, failing_since: null, due_at: now }
            : { state: 'off', off_reason: 'person', off_at: now },
        )
        await record(sql, ctx, input.is_on ? 'webhook_switched_on' : 'webhook_switched_off', url)
      }),
    ),

  /** Sends a test within seconds. If the address accepts it for the first time, changes are sent from then on. */
  test: inSpace({ ownersOnly: true })
    .input(z.strictObject(webhookOfSpace))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await countRequest(ctx)
      await change(ctx, input.webhook_id, async (sql, webhook) => {
        const now = new Date()
        await insertDelivery(
          sql,
          {
            id: newId(),
            webhook_id: webhook.id,
            kind: 'test',
            body: testBody(ctx.space.subdomain, now),
            changes: 0,
            created_at: now,
            due_at: now,
          },
          limits.webhookDeliveries,
        )
        await updateWebhook(sql, webhook.id, { due_at: now })
      })
    }),

  /** The deliveries of a webhook that are still kept, the newest first. */
  deliveries: inSpace({ ownersOnly: true })
    .input(z.strictObject(webhookOfSpace))
    .output(z.array(Delivery))
    .query(async ({ ctx, input }) =>
      (await listDeliveries(ctx.sql, ctx.space.id, input.webhook_id)).map(toDelivery),
    ),

  /** The body of a delivery. */
  payload: inSpace({ ownersOnly: true })
    .input(z.strictObject(deliveryOfWebhook))
    .output(z.object({ body: z.string() }))
    .query(async ({ ctx, input }) => {
      const body = await findDeliveryBody(ctx.sql, ctx.space.id, input.webhook_id, input.delivery_id)
      if (body === undefined) throw new Problem('delivery_not_found')
      return { body }
    }),

  /** Sends a delivery again within seconds, with the same id and body. */
  resend: inSpace({ ownersOnly: true })
    .input(z.strictObject(deliveryOfWebhook))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await countRequest(ctx)
      await change(ctx, input.webhook_id, async (sql, webhook) => {
        const now = new Date()
        const isFound = await requestDelivery(sql, webhook.id, input.delivery_id, now)
        if (!isFound) throw new Problem('delivery_not_found')
        await updateWebhook(sql, webhook.id, { due_at: now })
      })
    }),
})

type LockedWebhook = NonNullable<Awaited<ReturnType<typeof lockWebhook>>>

/**
 * Changes a webhook of the caller's space.
 *
 * @throws `webhook_not_found`
 */
const change = (
  { space, transaction }: ParticipantCall,
  webhookId: string,
  work: (sql: Transaction, webhook: LockedWebhook) => Promise<void>,
): Promise<void> =>
  transaction(async sql => {
    const webhook = await lockWebhook(sql, space.id, webhookId)
    if (!webhook) throw new Problem('webhook_not_found')
    await work(sql, webhook)
  })

/** Records an event about a webhook. Only the host is named, because the rest of an address can be secret. */
const record = (
  sql: Transaction,
  { caller, space }: ParticipantCall,
  kind:
    | 'webhook_added'
    | 'webhook_removed'
    | 'webhook_secret_rotated'
    | 'webhook_switched_off'
    | 'webhook_switched_on',
  url: string,
) => recordEvent(sql, { spaceId: space.id }, kind, caller, { label: new URL(url).host })

/** Counts a request to send something. @throws `rate_limited` */
const countRequest = async ({ core, accountId }: ParticipantCall): Promise<void> => {
  const { refused, reset } = await core.webhookTests.consume(accountId)
  if (refused) throw new Problem('rate_limited', { retryAfter: reset })
}
