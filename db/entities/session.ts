import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'

/** A browser session. Only a hash of the cookie's token is stored. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    tokenHash: p.blob().primary(),
    /** Identifies the session in its owner's list. */
    id: id().unique(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    /** The browser's User-Agent at sign-in, truncated. */
    userAgent: p.text().nullable(),
    createdAt: instant(),
    lastSeenAt: instant(),
    /** When the person last authenticated: at sign-in, or when asked to confirm. */
    confirmedAt: instant(),
    /**
     * Until this time, the session can set a new password without the current one. Null unless the session began with a
     * recovery code.
     */
    mayResetUntil: instant().nullable(),
    expiresAt: instant(),
  },
  checks: [{ name: 'sessions_user_agent_length', expression: 'char_length("user_agent") <= 300' }],
})
