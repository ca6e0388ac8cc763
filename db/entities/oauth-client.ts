import { defineEntity, p } from '@mikro-orm/core'
import { instant } from './columns.ts'

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
