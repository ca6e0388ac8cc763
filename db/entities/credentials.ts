/**
 * Keys, tokens, the clients that got them through OAuth, links that act for their holders, and the answers that are kept for
 * them.
 */
import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './accounts.ts'
import { id, instant } from './columns.ts'
import { Participant } from './spaces.ts'

/**
 * A key of the Space API. Deleted when it is revoked, and when its issuer leaves the space or becomes an editor. A connected OAuth
 * client has a key too. The label of that key is the client's name, and each refresh replaces the secret of that key.
 */
export const SpaceKey = defineEntity({
  name: 'SpaceKey',
  tableName: 'space_keys',
  properties: {
    id: id().primary(),
    issuer: () => p.manyToOne(Participant).mapToPk().deleteRule('cascade').index(),
    label: p.text(),
    secretHash: p.blob().unique(),
    /** The secret's first characters, for display in lists. */
    hint: p.text().index(),
    scopes: p.array().$type<string[]>(),
    createdAt: instant(),
    lastUsedAt: instant().nullable(),
    /** Whether the key was ever used at the tool server. */
    usedByAgent: p.boolean().default(false),
    /** When an agent last connected with the key; null before an agent's first use. */
    agentConnectedAt: instant().nullable(),
    /** The name that the agent gave itself; null if it gave none. */
    agentName: p.text().nullable(),
    /** Number of tools that the agent was offered. */
    agentTools: p.smallint().nullable(),
    /** Error code if the agent's access failed in its last request. */
    agentProblem: p.text().nullable(),
    /** When a tool server last refused a secret that starts with the same characters as this key. */
    refusedAt: instant().nullable(),
    /** The connected OAuth client; null for a key that a participant issued. */
    clientId: p.text().nullable().index(),
    /**
     * The resource that the client was connected to (`GrantResource`). Null for a credential that a person issued, and for
     * clients that were connected before resources were stored: these have to be connected again.
     */
    resource: p.text().nullable(),
    /** When the current secret expires; null if it does not expire. */
    expiresAt: instant().nullable(),
    /**
     * The time at which a rotation replaced this key with a new key; otherwise null. Both keys work until this key
     * expires. The key of a connected app is never rotated. It is refreshed instead.
     */
    replacedAt: instant().nullable(),
    /**
     * The id of the original key, if this key replaced it in one or more rotations; otherwise null. The history records
     * a key and its rotations as one author.
     */
    firstId: id().nullable(),
  },
  checks: [
    {
      name: 'space_keys_replaced_ends',
      expression: '"replaced_at" is null or ("expires_at" is not null and "client_id" is null)',
    },
  ],
})

/**
 * A token of the User API, with which a program acts as a person. Deleted when it is revoked. A connected OAuth client
 * has a token too: its label is the client's name, and its secret is replaced on each refresh.
 */
export const UserToken = defineEntity({
  name: 'UserToken',
  tableName: 'user_tokens',
  properties: {
    id: id().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    label: p.text(),
    secretHash: p.blob().unique(),
    /** The secret's first characters, for display in lists. */
    hint: p.text(),
    scopes: p.array().$type<string[]>(),
    createdAt: instant(),
    lastUsedAt: instant().nullable(),
    /** The name of the agent that last connected with the token; null if none has. */
    agentName: p.text().nullable(),
    /** The connected OAuth client; null for a token that a person issued. */
    clientId: p.text().nullable().index(),
    /**
     * The resource that the client was connected to (`GrantResource`). Null for a credential that a person issued, and for
     * clients that were connected before resources were stored: these have to be connected again.
     */
    resource: p.text().nullable(),
    /** When the current secret expires; null if it does not expire. */
    expiresAt: instant().nullable(),
    /**
     * The time at which a new token replaced this token (rotation). Until this token expires, both tokens work. The
     * token of a connected app is never rotated: it is refreshed.
     */
    replacedAt: instant().nullable(),
  },
  checks: [
    {
      name: 'user_tokens_replaced_ends',
      expression: '"replaced_at" is null or ("expires_at" is not null and "client_id" is null)',
    },
  ],
})

/** A dynamically registered OAuth client (RFC 7591). It has no secret. */
export const OauthClient = defineEntity({
  name: 'OauthClient',
  tableName: 'oauth_clients',
  properties: {
    id: p.text().primary(),
    /** The name the client gives itself; not verified. */
    name: p.text(),
    redirectUris: p.array().$type<string[]>(),
    createdAt: instant(),
    /** The network that registered it, until a person approves it; null for older registrations too. */
    network: p.text().nullable(),
    /** When a person last approved it; null before the first approval. */
    approvedAt: instant().nullable(),
  },
  indexes: [{ name: 'oauth_clients_age_index', properties: ['approvedAt', 'createdAt'] }],
})

/** An authorization code: the client exchanges it once for a key or token, within a minute. */
export const OauthCode = defineEntity({
  name: 'OauthCode',
  tableName: 'oauth_codes',
  properties: {
    codeHash: p.blob().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    /**
     * The account's membership of the space to which the client was connected; null if it was connected to the
     * account itself.
     */
    participant: () => p.manyToOne(Participant).mapToPk().deleteRule('cascade').nullable().index(),
    clientId: p.text(),
    clientName: p.text(),
    redirectUri: p.text(),
    /** SHA-256 of the client's verifier, in base64url (RFC 7636). */
    challenge: p.text(),
    scopes: p.array().$type<string[]>(),
    /** The resource that the client asked for (`GrantResource`). */
    resource: p.text().nullable(),
    expiresAt: instant().index(),
    /** The token or key that the code was exchanged for; revoked if the code is used again. */
    token: () => p.manyToOne(UserToken).mapToPk().deleteRule('cascade').nullable().index(),
    key: () => p.manyToOne(SpaceKey).mapToPk().deleteRule('cascade').nullable().index(),
  },
  checks: [
    {
      name: 'oauth_codes_credential_kind',
      expression:
        '("token_id" is null or "participant_id" is null) and ("key_id" is null or "participant_id" is not null)',
    },
  ],
})

/**
 * The refresh state of a connected app's key or token. A refresh token has two halves. One half is fixed for the
 * life of the grant and identifies the grant. The other half changes on each refresh. So a token that was used
 * before is recognized: its fixed half still identifies a grant, but its other half is outdated.
 */
export const OauthGrant = defineEntity({
  name: 'OauthGrant',
  tableName: 'oauth_grants',
  properties: {
    /** Hash of the fixed half of the refresh token. */
    familyHash: p.blob().primary(),
    /** The app's token, if the app was connected to an account. */
    token: () => p.manyToOne(UserToken).mapToPk().deleteRule('cascade').nullable().unique(),
    /** The app's key, if the app was connected to a space. */
    key: () => p.manyToOne(SpaceKey).mapToPk().deleteRule('cascade').nullable().unique(),
    /** Hash of the current refresh token. */
    refreshHash: p.blob(),
    /**
     * Hash of the refresh token that was used last. The current tokens were derived from that refresh token and `salt`.
     */
    usedHash: p.blob().nullable(),
    salt: p.blob().nullable(),
    refreshedAt: instant(),
  },
  checks: [{ name: 'oauth_grants_one_credential', expression: 'num_nonnulls("token_id", "key_id") = 1' }],
})

/** An address to which one file can be sent without a key. Deleted when its key is revoked or its issuer leaves. */
export const UploadLink = defineEntity({
  name: 'UploadLink',
  tableName: 'upload_links',
  properties: {
    tokenHash: p.blob().primary(),
    issuer: () => p.manyToOne(Participant).mapToPk().deleteRule('cascade').index(),
    /** The key that the link was created with; null for a participant in the dashboard. */
    key: () => p.manyToOne(SpaceKey).mapToPk().deleteRule('cascade').nullable().index(),
    /** The name of the MCP client that created the link; null if it gave none. */
    agent: p.text().nullable(),
    /** The name of the file. */
    name: p.text(),
    expiresAt: instant().index(),
    /**
     * When the file was stored; null for an unused link. A used link is kept until it expires, so that the response
     * to another upload can say that the link was used.
     */
    usedAt: instant().nullable(),
  },
})

/** The first answer to a call with an `Idempotency-Key`. Deleted after a day, or with its key or token. */
export const KeptAnswer = defineEntity({
  name: 'KeptAnswer',
  tableName: 'kept_answers',
  properties: {
    /** SHA-256 of the id of the credential and the `Idempotency-Key`. */
    digest: p.blob().primary(),
    key: () => p.manyToOne(SpaceKey).mapToPk().deleteRule('cascade').nullable(),
    token: () => p.manyToOne(UserToken).mapToPk().deleteRule('cascade').nullable(),
    /** SHA-256 of the request, by which another request with the same key is recognized. */
    request: p.blob(),
    /** Status, headers and body, as JSON. */
    answer: p.text(),
    createdAt: instant().index(),
  },
  indexes: [
    { name: 'kept_answers_key_index', properties: ['key', 'createdAt'] },
    { name: 'kept_answers_token_index', properties: ['token', 'createdAt'] },
  ],
  checks: [{ name: 'kept_answers_one_credential', expression: 'num_nonnulls("key_id", "token_id") = 1' }],
})
