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
