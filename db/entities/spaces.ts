/** The directory of spaces: their names, participants and origins, and what their participants have begun. Also the audit log of spaces and accounts. */
import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './accounts.ts'
import { id, instant } from './columns.ts'

/**
 * The row of a space in the directory, by which requests find the space. A space exists while it has this row. Its
 * content, in `spaces` and the tables that refer to it, can be on another server.
 */
export const SpaceName = defineEntity({
  name: 'SpaceName',
  tableName: 'space_names',
  properties: {
    id: id().primary(),
    // The constraint keeps its old name, from when the column was in `spaces`. During an update, processes of the
    // previous version still run. They recognize the error for a taken subdomain by the name of the constraint.
    subdomain: p.text().unique('spaces_subdomain_unique'),
    name: p.text(),
    /** Whether the visits of the space's site are counted. */
    countsVisits: p.boolean().default(true),
  },
})

/** A space that is no longer in the directory, but whose content has not been deleted yet. */
export const DeletedSpace = defineEntity({
  name: 'DeletedSpace',
  tableName: 'deleted_spaces',
  properties: { id: id().primary() },
})

/**
 * An account's membership of a space. Keys and invitations that the account issued in the space reference this row and
 * are deleted with it.
 */
export const Participant = defineEntity({
  name: 'Participant',
  tableName: 'participants',
  properties: {
    id: id().primary(),
    space: () => p.manyToOne(SpaceName).mapToPk().deleteRule('cascade'),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    joinedAt: instant(),
  },
  uniques: [{ name: 'participants_space_account_unique', properties: ['space', 'account'] }],
})

/** A link with which one person can join a space. Deleted when its creator leaves the space. */
export const Invite = defineEntity({
  name: 'Invite',
  tableName: 'invites',
  properties: {
    id: id().primary(),
    tokenHash: p.blob().unique(),
    inviter: () => p.manyToOne(Participant).mapToPk().deleteRule('cascade').index(),
    createdAt: instant(),
    expiresAt: instant(),
  },
})

/** The picture of a space or an account. Setting an icon creates a new row, so the URL changes. */
export const Icon = defineEntity({
  name: 'Icon',
  tableName: 'icons',
  properties: {
    id: id().primary(),
    space: () =>
      p.manyToOne(SpaceName).mapToPk().deleteRule('cascade').nullable().unique('icons_space_unique'),
    account: () =>
      p.manyToOne(Account).mapToPk().deleteRule('cascade').nullable().unique('icons_account_unique'),
    png: p.blob(),
  },
  checks: [{ name: 'icons_one_owner', expression: 'num_nonnulls("space_id", "account_id") = 1' }],
})

/**
 * The space of a page or file. Each page and file is served at an origin of its own, which contains its id but
 * not its space. A row never changes; it is inserted or deleted in the transaction that creates or deletes the
 * page or file. The table has no check constraint, for the reason given with `Write` in `content.ts`.
 */
export const Origin = defineEntity({
  name: 'Origin',
  tableName: 'origins',
  properties: {
    id: id().primary(),
    kind: p.text().$type<'page' | 'file'>(),
    space: () => p.manyToOne(SpaceName).mapToPk().deleteRule('cascade').index(),
  },
})

/** An account's unsaved edits of a page, part, record or post. No API and no site reads it. */
export const Draft = defineEntity({
  name: 'Draft',
  tableName: 'drafts',
  properties: {
    /** Also part of the address of the draft's preview. */
    id: id().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade'),
    /** Null for a post. */
    space: () => p.manyToOne(SpaceName).mapToPk().deleteRule('cascade').nullable(),
    kind: p.enum(['page', 'part', 'record', 'post'] as const),
    /** The edited item's id or key; for an item that was never saved, an id that the editor generated. */
    thing: id(),
    isNew: p.boolean(),
    /** The edited fields, and the version that the edits are based on, as JSON. */
    content: p.text(),
    /** Bytes of `content` in UTF-8. */
    size: p.integer(),
    /** When the sharing of the preview ends; null if it was never shared. */
    sharedUntil: instant().nullable(),
    updatedAt: instant(),
  },
  indexes: [
    {
      name: 'drafts_thing_unique',
      expression: `create unique index "drafts_thing_unique" on "drafts" ("account_id", coalesce("space_id", ''), "kind", "thing")`,
    },
    { name: 'drafts_space_index', properties: ['space', 'kind', 'thing'] },
    { name: 'drafts_updated_index', properties: ['updatedAt'] },
  ],
})

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
