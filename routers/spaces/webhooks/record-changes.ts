import type { Database } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { findRevision } from '../../../db/queries/delivery.ts'
import { withHandles } from '../../../db/queries/history.ts'
import { listNextChanges, type ToldChange } from '../../../db/queries/told-changes.ts'
import {
  insertDelivery,
  lockTaken,
  moveWebhook,
  type RecordedPlace,
  type TakenWebhook,
} from '../../../db/queries/webhooks.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { limits } from '../../api/rules.ts'
import { changesBody, eventOf } from './events.ts'

/**
 * Records the next changes of a space as a delivery of a webhook, and that they are recorded, in one transaction. So
 * whatever ends this process, no change is left out, and the same message is sent again rather than a similar one.
 *
 * @param lease until when this process has the webhook
 * @returns whether there is more to do now: a delivery to send, or more changes to look at
 */
export const recordChanges = async (
  database: Database,
  webhook: TakenWebhook,
  lease: Date,
  now: Date,
): Promise<boolean> => {
  const { id, space_id: spaceId, events, missed } = webhook
  // Writes lock their space, so every change up to its revision is visible.
  const until = await findRevision(database, spaceId)
  if (until === undefined || BigInt(until) <= BigInt(webhook.revision)) return false
  const { revision, after_kind: kind, after_thing: thing } = webhook
  const rows = await listNextChanges(
    database,
    spaceId,
    revision,
    kind,
    thing,
    until,
    limits.webhookChanges + 1,
  )
  const { told, place, continues } = firstOf(rows, until)
  const chosen = await withHandles(
    database,
    told.filter(change => events.includes(eventOf(change))),
  )
  const isEmpty = chosen.length === 0 && missed === null
  const gap = missed === null ? null : { after: Number(revision), until: Number(missed) }
  return inTransaction(database, async sql => {
    if ((await lockTaken(sql, id, lease))?.state !== 'active') return false
    await moveWebhook(sql, id, place, missed)
    if (isEmpty) return rows.length > told.length
    const body = changesBody(webhook.subdomain, now, chosen, { continues, missed: gap })
    await insertDelivery(
      sql,
      {
        id: newId(),
        webhook_id: id,
        kind: 'changes',
        body,
        changes: chosen.length,
        created_at: now,
        due_at: now,
      },
      limits.webhookDeliveries,
    )
    return true
  })
}

/**
 * The first of the changes that were read: as many whole writes as a delivery has room for, or the first part of one that
 * has more changes.
 *
 * @param until the revision up to which the changes were read
 */
const firstOf = (
  rows: readonly ToldChange[],
  until: string,
): { told: readonly ToldChange[]; place: RecordedPlace; continues: boolean } => {
  const next = rows[limits.webhookChanges]
  if (!next)
    return { told: rows, place: { revision: until, after_kind: '', after_thing: '' }, continues: false }
  const revision = String(BigInt(next.revision) - 1n)
  const whole = rows.filter(change => change.revision !== next.revision)
  if (whole.length > 0)
    return { told: whole, place: { revision, after_kind: '', after_thing: '' }, continues: false }
  const part = rows.slice(0, -1)
  const last = part.at(-1)!
  return { told: part, place: { revision, after_kind: last.kind, after_thing: last.thing }, continues: true }
}
