import { defineEntity, p } from '@mikro-orm/core'
import { instant } from './columns.ts'
import { Participant } from './participant.ts'
import { SpaceKey } from './space-key.ts'

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
