/** Accounts, and how people sign in to them. */
import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/** A person. The handle keeps its letter case and is unique ignoring case. */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    id: id().primary(),
    handle: p.text(),
    /** An argon2id hash; null for an account without a password. */
    passwordHash: p.text().nullable(),
    /** If null, the handle is shown instead. */
    displayName: p.text().nullable(),
    bio: p.text().nullable(),
    createdAt: instant(),
    /** When an operator suspended the account; null if it is not suspended. */
    suspendedAt: instant().nullable(),
    /** The operator's reason for the suspension, which the person reads. */
    suspensionReason: p.text().nullable(),
  },
  checks: [
    {
      name: 'accounts_suspension_check',
      expression: '("suspended_at" is null) = ("suspension_reason" is null)',
    },
  ],
  indexes: [
    {
      name: 'accounts_suspended_index',
      expression:
        'create index "accounts_suspended_index" on "accounts" ("id") where "suspended_at" is not null',
    },
    {
      name: 'accounts_handle_unique',
      expression: 'create unique index "accounts_handle_unique" on "accounts" (lower("handle"))',
    },
  ],
})

/** A browser session. Only a hash of the cookie's token is stored. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    tokenHash: p.blob().primary(),
    /** Identifies the session in its owner's list. */
    id: id().unique(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    /** The browser's User-Agent at sign-in, truncated. */
    userAgent: p.text().nullable(),
    createdAt: instant(),
    lastSeenAt: instant(),
    /** When the person last authenticated: at sign-in, or when asked to confirm. */
    confirmedAt: instant(),
    /**
     * Until this time, the session can set a new password without the current one. Null unless the session began with a
     * recovery code.
     */
    mayResetUntil: instant().nullable(),
    expiresAt: instant(),
  },
  checks: [{ name: 'sessions_user_agent_length', expression: 'char_length("user_agent") <= 300' }],
})

/**
 * A one-time link to the dashboard: `sign_in` signs an account in, `reset` sets a new password for an account, `set_up`
 * creates the first account.
 */
export const SignInLink = defineEntity({
  name: 'SignInLink',
  tableName: 'sign_in_links',
  properties: {
    tokenHash: p.blob().primary(),
    purpose: p.text().$type<'sign_in' | 'reset' | 'set_up'>(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').nullable().index(),
    expiresAt: instant().index(),
  },
  checks: [
    {
      name: 'sign_in_links_purpose',
      expression: `"purpose" in ('sign_in', 'reset', 'set_up') and ("purpose" = 'set_up') = ("account_id" is null)`,
    },
  ],
})

/** A WebAuthn credential that signs a person in without a password. */
export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  properties: {
    id: id().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    /** The id that the authenticator assigned to the passkey, in base64url. */
    credentialId: p.text().unique(),
    /** The public key in COSE encoding. */
    publicKey: p.blob(),
    /** The authenticator's signature counter; always 0 if the authenticator does not count. */
    counter: p.bigint('string'),
    /** How the browser can reach the authenticator: `internal`, `usb`, `hybrid` and so on. */
    transports: p.array().$type<string[]>(),
    /** Whether the passkey is synced to several devices. */
    backedUp: p.boolean(),
    label: p.text(),
    createdAt: instant(),
    lastUsedAt: instant().nullable(),
  },
})

/** A WebAuthn challenge: random text for a passkey to sign, once, within minutes. */
export const PasskeyChallenge = defineEntity({
  name: 'PasskeyChallenge',
  tableName: 'passkey_challenges',
  properties: {
    /** The challenge in base64url, as the browser returns it. */
    challenge: p.text().primary(),
    purpose: p.text().$type<'register' | 'sign_in' | 'confirm'>(),
    /** The passkey's owner; null at sign-in, where the account is not known yet. */
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').nullable().index(),
    expiresAt: instant().index(),
  },
  checks: [
    {
      name: 'passkey_challenges_purpose',
      expression: `"purpose" in ('register', 'sign_in', 'confirm') and ("purpose" = 'sign_in') = ("account_id" is null)`,
    },
  ],
})

/** A one-time code for a person who has no other way to sign in. Using it deletes the row. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    account: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade'),
    codeHash: p.blob().primary(),
    createdAt: instant(),
  },
})

/** A browser that has signed in to an account. Only a hash of its cookie is stored. */
export const KnownBrowser = defineEntity({
  name: 'KnownBrowser',
  tableName: 'known_browsers',
  properties: {
    account: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade'),
    browserHash: p.blob().primary(),
    signedInAt: instant(),
  },
})
