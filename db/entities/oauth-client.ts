import { defineEntity, p } from '@mikro-orm/core'
import { instant } from './columns.ts'

/** A program that registered itself so that people can connect it (RFC 7591). It has no secret. */
export const OauthClient = defineEntity({
  name: 'OauthClient',
  tableName: 'oauth_clients',
  properties: {
    id: p.text().primary(),
    /** What it calls itself; nobody has checked it. */
    name: p.text(),
    redirectUris: p.array().$type<string[]>(),
    createdAt: instant(),
    /** When somebody last let it in; null while nobody has. */
    approvedAt: instant().nullable(),
  },
  indexes: [{ name: 'oauth_clients_age_index', properties: ['approvedAt', 'createdAt'] }],
})
