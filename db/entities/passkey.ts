import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'

/** A WebAuthn credential that signs a person in without a password. */
export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  properties: {
    id: id().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    /** The authenticator's own name for it, in base64url. */
    credentialId: p.text().unique(),
    /** In COSE's form. */
    publicKey: p.blob(),
    /** How often the authenticator says it was used; one that does not count says 0. */
    counter: p.bigint('string'),
    /** How a browser may reach the authenticator: `internal`, `usb`, `hybrid` and so on. */
    transports: p.array().$type<string[]>(),
    /** Whether it is kept in more places than one device. */
    backedUp: p.boolean(),
    label: p.text(),
    createdAt: instant(),
    lastUsedAt: instant().nullable(),
  },
})
