import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'
import { Participant } from './participant.ts'

/** A key of the Space API. Revoking it deletes the row; so does its issuer's leaving. */
export const SpaceKey = defineEntity({
  name: 'SpaceKey',
  tableName: 'space_keys',
  properties: {
    id: id().primary(),
    issuer: () => p.manyToOne(Participant).mapToPk().deleteRule('cascade').index(),
    label: p.text(),
    secretHash: p.blob().unique(),
    /** The first characters, so that people can tell their keys apart. */
    hint: p.text(),
    scopes: p.array().$type<string[]>(),
    createdAt: instant(),
    lastUsedAt: instant().nullable(),
    /** Whether an agent has come with it: to the tool server, and not to REST alone. */
    usedByAgent: p.boolean().default(false),
    /** When it ends by itself; null when it does not. */
    expiresAt: instant().nullable(),
    /** When another key took its place; until it ends both open. */
    replacedAt: instant().nullable(),
  },
  checks: [
    { name: 'space_keys_replaced_ends', expression: '"replaced_at" is null or "expires_at" is not null' },
  ],
})
