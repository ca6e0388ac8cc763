import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'
import { Participant } from './participant.ts'

/** A link by which one more person joins a space. It stops when whoever made it leaves. */
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
