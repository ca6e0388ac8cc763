import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'
import { SpaceName } from './space-name.ts'

/** An event that concerns the security of a space or an account. Never contains a secret. */
export const AuditEvent = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  properties: {
    position: p.bigint('string').autoincrement().primary(),
    at: instant(),
    /** The space or the account that the event belongs to. One of the two columns is null. */
    space: () => p.manyToOne(SpaceName).mapToPk().deleteRule('cascade').nullable(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').nullable(),
    kind: p.enum([
      'signed_in',
      'sign_in_failed',
      'key_issued',
      'key_rotated',
      'key_revoked',
      'token_issued',
      'token_rotated',
      'token_revoked',
      'participant_joined',
      'participant_left',
      'exported',
      'restored',
      'erased',
      'refused',
      'account_suspended',
      'suspension_lifted',
    ] as const),
    /**
     * The account behind the caller; no foreign key, because the event outlives it. Null if the caller had not signed
     * in.
     */
    actor: id().nullable(),
    /** The label of the key or token that was used; null for a person. */
    actorLabel: p.text().nullable(),
    details: p.json<unknown>(),
    /** How often the event happened within the hour; 1 for events that are recorded one by one. */
    count: p.integer(),
    /** Identifies the hour, caller and reason of a counted event; null for an event that is recorded on its own. */
    bucket: p.text().nullable().unique(),
  },
  indexes: [
    { name: 'audit_events_space_index', properties: ['space', 'position'] },
    { name: 'audit_events_account_index', properties: ['account', 'position'] },
    { name: 'audit_events_at_index', properties: ['at'] },
  ],
})
