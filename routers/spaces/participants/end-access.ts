import { type EndedByRole, endKeysOfIssuer, insertAuditEvents } from '../../../db/queries/audit.ts'
import { deleteWebhooksOfOwner } from '../../../db/queries/webhooks.ts'
import type { Transaction } from '../../../db/transaction.ts'

/**
 * Ends the keys, connected apps and webhooks of a person in one space, or in all of their spaces, and records it in the
 * audit logs. Call in the transaction in which the person leaves, is removed or becomes an editor.
 */
export const endAccess = async (
  sql: Transaction,
  ended: Omit<EndedByRole, 'details'>,
  why: 'left' | 'became_editor',
): Promise<void> => {
  const { accountId, spaceId, actor } = ended
  const details = {
    ...(actor === accountId ? {} : { issuer: accountId }),
    // Not a new `reason`, because the previous version cannot read one.
    ...(why === 'left' ? { reason: 'issuer_left' } : { role: 'editor' }),
  }
  await endKeysOfIssuer(sql, { ...ended, details }, new Date())
  const webhooks = await deleteWebhooksOfOwner(sql, accountId, spaceId)
  await insertAuditEvents(
    sql,
    webhooks.map(({ space_id, url }) => ({
      owner: { spaceId: space_id },
      kind: 'webhook_removed',
      actor,
      actorLabel: null,
      details: { ...details, label: new URL(url).host },
    })),
  )
}
