import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'
import { Participant } from './participant.ts'

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
