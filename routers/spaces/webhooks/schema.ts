import { z } from 'zod'
import type { listDeliveries, WebhookRow } from '../../../db/queries/webhooks.ts'
import { text, timestamp } from '../../api/fields.ts'
import { limits } from '../../api/rules.ts'
import { EVENTS } from './events.ts'

/** Why an address cannot be one to send to, as the end of a sentence; undefined if it can, or is missing. */
const faultOf = (written: string): string | undefined => {
  if (written === '') return undefined
  const url = URL.parse(written)
  if (!url || url.hostname === '') return 'must be an address such as https://example.com/hook'
  if (url.protocol !== 'https:') return 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.hash !== '') return 'must not contain #'
  return undefined
}

/** An address to send to, in the form that it is stored in. */
export const webhookUrl = text({ min: 1, max: limits.webhookUrl, trim: true })
  .superRefine((written, context) => {
    const message = faultOf(written)
    if (message) context.addIssue({ code: 'custom', message })
  })
  .transform(written => new URL(written).href)

export const webhookEvents = z
  .array(z.enum(EVENTS))
  .min(1, { error: 'must have at least one event' })
  .max(EVENTS.length)
  .transform(events => EVENTS.filter(event => events.includes(event)))

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  /** Handle of the participant who added it. */
  owner: z.string(),
  created_at: timestamp,
  /** `untested` until the address has accepted a test. Changes are sent only while it is `active`. */
  state: z.enum(['untested', 'active', 'off']),
  /** Why it is off: a person switched it off, the address answered 410, or it failed for days. */
  off_reason: z.enum(['person', 'gone', 'failing']).nullable(),
  off_at: timestamp.nullable(),
  /** Since when no delivery of changes has succeeded; null while all is well. */
  failing_since: timestamp.nullable(),
  /** When something is sent next; null while nothing waits. */
  next_attempt_at: timestamp.nullable(),
  /** Until when the secret before the last rotation signs too; null if it does not. */
  previous_until: timestamp.nullable(),
})

export const Delivery = z.object({
  /** Also the `webhook-id` of the message. */
  id: z.string(),
  kind: z.enum(['test', 'changes']),
  /** Number of changes. */
  changes: z.int(),
  created_at: timestamp,
  /**
   * `waiting`: to be sent, or sent again; `paused`: to be sent once the webhook is on again; otherwise whether the address
   * accepted the last attempt.
   */
  state: z.enum(['waiting', 'paused', 'delivered', 'failed']),
  next_attempt_at: timestamp.nullable(),
  attempts: z.int(),
  attempted_at: timestamp.nullable(),
  /** How long the last attempt took, in ms. */
  duration: z.int().nullable(),
  /** The status of the answer to the last attempt. */
  status: z.int().nullable(),
  /** Why there was no answer to the last attempt. */
  error: z.string().nullable(),
})

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

/** Converts a row to what participants get. */
export const toWebhook = (row: WebhookRow, now: Date): z.input<typeof Webhook> => ({
  ...row,
  created_at: row.created_at.toISOString(),
  off_at: iso(row.off_at),
  failing_since: iso(row.failing_since),
  next_attempt_at: iso(row.next_attempt_at),
  previous_until: row.previous_until && row.previous_until > now ? iso(row.previous_until) : null,
})

type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number]

const stateOf = ({ due_at, kind, delivered_at, status }: DeliveryRow) => {
  if (due_at !== null) return 'waiting'
  if (kind === 'changes' && delivered_at === null) return 'paused'
  return status !== null && status >= 200 && status < 300 ? 'delivered' : 'failed'
}

/** Converts a row to what participants get. */
export const toDelivery = (row: DeliveryRow): z.input<typeof Delivery> => ({
  id: row.id,
  kind: row.kind,
  changes: row.changes,
  created_at: row.created_at.toISOString(),
  state: stateOf(row),
  next_attempt_at: iso(row.due_at),
  attempts: row.attempts,
  attempted_at: iso(row.attempted_at),
  duration: row.duration,
  status: row.status,
  error: row.error,
})
