import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'
import { Participant } from './participant.ts'

/**
 * A key of the Space API. A key is deleted when it is revoked or when its issuer leaves the space. A connected OAuth
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
