/** Addresses that are told what changes in a space, and what was sent to them. Deleted with their owner's participation. */
import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'
import { Participant, SpaceName } from './spaces.ts'

/**
 * An address that is told what changes in a space. The history of the space is the list of what there is to tell: the row
 * only knows up to which place in it deliveries were recorded.
 */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: id().primary(),
    space: () => p.manyToOne(SpaceName).mapToPk().deleteRule('cascade').index(),
    owner: () => p.manyToOne(Participant).mapToPk().deleteRule('cascade').index(),
    url: p.text(),
    /** What to tell, such as `page.created`. */
    events: p.array().$type<string[]>(),
    /** Signs what is sent. Unlike the secret of a key, it must be stored as it is. */
    secret: p.text(),
    /** The secret before the last rotation, which signs too until `previousUntil`. */
    previousSecret: p.text().nullable(),
    previousUntil: instant().nullable(),
    createdAt: instant(),
    /** `untested` until the address has first accepted a test. Changes are delivered only while it is `active`. */
    state: p.enum(['untested', 'active', 'off'] as const),
    /** Why it was switched off: by a person, because the address has gone, or because it failed for days. */
    offReason: p.enum(['person', 'gone', 'failing'] as const).nullable(),
    offAt: instant().nullable(),
    /** Since when every attempt to deliver changes has failed. */
    failingSince: instant().nullable(),
    /** The revision up to which all changes were recorded as deliveries. */
    revision: p.bigint('string').default(0),
    /** The last recorded change of the next revision; empty unless that write has more changes than a delivery. */
    afterKind: p.text().collation('C').default(''),
    afterThing: id().default(''),
    /** The newest revision that was deleted from the history before it was recorded; null if none was. */
    missed: p.bigint('string').nullable(),
    /** When there is something to do; null while there is nothing. */
    dueAt: instant().nullable().index(),
    /** Until when one process has it, so that no other sends to it. Null if no process does. */
    leasedUntil: instant().nullable(),
  },
  checks: [
    { name: 'webhooks_off_check', expression: `("state" = 'off') = ("off_reason" is not null)` },
    {
      name: 'webhooks_previous_check',
      expression: '("previous_secret" is null) = ("previous_until" is null)',
    },
  ],
})

/** A message to a webhook's address. A webhook has a bounded number of them. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    /** Also the id of the message, by which receivers recognize a repetition. */
    id: id().primary(),
    webhook: () => p.manyToOne(Webhook).mapToPk().deleteRule('cascade'),
    /** Their order. */
    position: p.bigint('string').autoincrement(),
    kind: p.enum(['test', 'changes'] as const),
    body: p.text(),
    /** Number of changes. */
    changes: p.integer(),
    createdAt: instant(),
    /** When to send it; null if it is not to be sent, or not again. */
    dueAt: instant().nullable(),
    /** When the address first accepted it. */
    deliveredAt: instant().nullable(),
    attempts: p.integer().default(0),
    /** The last attempt: when it began, how long it took in ms, and the status, or else why there was no answer. */
    attemptedAt: instant().nullable(),
    duration: p.integer().nullable(),
    status: p.smallint().nullable(),
    error: p.text().nullable(),
  },
  indexes: [
    { name: 'webhook_deliveries_webhook_index', properties: ['webhook', 'position'] },
    { name: 'webhook_deliveries_created_index', properties: ['createdAt'] },
    {
      // Changes are delivered one message after the other.
      name: 'webhook_deliveries_next_unique',
      expression: `create unique index "webhook_deliveries_next_unique" on "webhook_deliveries" ("webhook_id") where "kind" = 'changes' and "delivered_at" is null`,
    },
  ],
})
