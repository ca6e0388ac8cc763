/** The directory of spaces: their names, participants and origins, and what their participants have begun. Also the audit log of spaces and accounts. */
import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './accounts.ts'
import { id, instant, name } from './columns.ts'

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

/** What participants may do: owners everything, editors only change the content of the site. */
const role = () => p.enum(['owner', 'editor'] as const).default('owner')

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
    /** A space with participants always has an owner; every write to participants checks this under the lock. */
    role: role(),
  },
  uniques: [{ name: 'participants_space_account_unique', properties: ['space', 'account'] }],
})

/** A link with which one person can join a space. Deleted when its creator leaves the space or becomes an editor. */
export const Invite = defineEntity({
  name: 'Invite',
  tableName: 'invites',
  properties: {
    id: id().primary(),
    tokenHash: p.blob().unique(),
    inviter: () => p.manyToOne(Participant).mapToPk().deleteRule('cascade').index(),
    createdAt: instant(),
    expiresAt: instant(),
    /** The role of the person who joins. */
    role: role(),
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

/** What the last check of a domain saw in DNS, and when it connected to the domain. */
export interface SeenDomain {
  /** Whether the record that proves the domain was found. */
  isProved: boolean
  /** How many other TXT records the proof's name has. */
  otherTexts: number
  /** The addresses of the domain, and the name that it is an alias of. */
  addresses: string[]
  alias: string | null
  /** The addresses of this instance. */
  own: string[]
  /** Why no certificate was found; null if there is one, or if none was looked for. */
  certificateError: string | null
}

/**
 * A domain of a space's own, such as `bakery.example`. Several spaces can claim a name, but only one can have it
 * verified. A space and its pages are served only at verified names.
 */
export const Domain = defineEntity({
  name: 'Domain',
  tableName: 'domains',
  properties: {
    space: () => p.manyToOne(SpaceName).mapToPk().primary().deleteRule('cascade'),
    /** In lower case, in the form that DNS uses (`xn--…`). */
    name: name().primary(),
    /** The name without `www.`: both names are added, proved and removed together. */
    base: name(),
    /** Whether the site moves to this name as soon as the name can be used. */
    isMain: p.boolean(),
    /** When the name was added or switched off; it is dropped if it is not proved within a week. */
    createdAt: instant(),
    verifiedAt: instant().nullable(),
    /** When the name's certificate was first seen. */
    securedAt: instant().nullable(),
    /** Whether the name leads to this instance, as far as the last check saw. */
    isHere: p.boolean(),
    /** Since when a verified name has had no proof, or has led elsewhere; null while all is well. */
    failingSince: instant().nullable(),
    checkedAt: instant().nullable(),
    seen: p.json<SeenDomain>().nullable(),
    nextCheckAt: instant().index(),
    /** Number of checks since the name last changed; the pauses between checks grow with it. */
    checks: p.integer(),
  },
  indexes: [
    {
      name: 'domains_verified_unique',
      expression: `create unique index "domains_verified_unique" on "domains" ("name") where "verified_at" is not null`,
    },
    {
      name: 'domains_main_unique',
      expression: `create unique index "domains_main_unique" on "domains" ("space_id") where "is_main"`,
    },
  ],
  checks: [
    {
      name: 'domains_verified_check',
      expression: '"verified_at" is not null or ("secured_at" is null and "failing_since" is null)',
    },
  ],
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

/**
 * A link with which anyone can see a participant's draft of a page, or the saved page if there is no draft. Ends when the
 * participant leaves the space.
 */
export const PreviewLink = defineEntity({
  name: 'PreviewLink',
  tableName: 'preview_links',
  properties: {
    /** Also part of the address: each link has an origin of its own. */
    id: id().primary(),
    /** The secret part of the address. Stored as it is, so that the address can be copied again. */
    token: p.text(),
    issuer: () => p.manyToOne(Participant).mapToPk().deleteRule('cascade').index(),
    /** What the draft edits, as in `drafts`. */
    thing: id(),
    createdAt: instant(),
    expiresAt: instant(),
  },
})

/**
 * A save of a draft, or a deletion of a page, at a chosen time. Carrying it out deletes the row. If it is refused, the row
 * stays with the reason until someone removes it.
 */
export const Schedule = defineEntity({
  name: 'Schedule',
  tableName: 'schedules',
  properties: {
    id: id().primary(),
    space: () => p.manyToOne(SpaceName).mapToPk().deleteRule('cascade'),
    /** Who scheduled it, and is its author in the history. */
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    action: p.enum(['save', 'delete'] as const),
    /** The id of the page; for a page that was never saved, the id of its draft. */
    thing: id(),
    /** The draft when it was scheduled, as in `drafts`; null for a deletion. */
    content: p.text().nullable(),
    /** The version of the page that the draft changes; null for a new page, and for a deletion. */
    base: instant().nullable(),
    dueAt: instant(),
    /** The code of the error for which it was refused. */
    failure: p.text().nullable(),
  },
  indexes: [
    {
      name: 'schedules_thing_unique',
      expression: `create unique index "schedules_thing_unique" on "schedules" ("space_id", "thing", "action")`,
    },
    {
      name: 'schedules_due_index',
      expression: `create index "schedules_due_index" on "schedules" ("due_at") where "failure" is null`,
    },
  ],
  checks: [{ name: 'schedules_content_check', expression: `("action" = 'save') = ("content" is not null)` }],
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
      'participant_removed',
      'role_changed',
      'exported',
      'restored',
      'erased',
      'refused',
      'account_suspended',
      'suspension_lifted',
      'domain_added',
      'domain_removed',
      'domain_verified',
      'domain_switched_off',
      'main_domain_changed',
      'webhook_added',
      'webhook_removed',
      'webhook_secret_rotated',
      'webhook_switched_off',
      'webhook_switched_on',
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
