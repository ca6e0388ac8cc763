import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'

/** Somebody signed in with a browser. Only a hash of the cookie's token is kept. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    tokenHash: p.blob().primary(),
    /** By which its owner sees and ends it. */
    id: id().unique(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    /** What the browser said it was when the session began, cut off where it said too much. */
    userAgent: p.text().nullable(),
    createdAt: instant(),
    lastSeenAt: instant(),
    /** When the person last showed who they are: at sign-in, or when asked again. */
    confirmedAt: instant(),
    /** Until when a new password may be set without the old one; null unless it began with a recovery code. */
    mayResetUntil: instant().nullable(),
    expiresAt: instant(),
  },
  checks: [{ name: 'sessions_user_agent_length', expression: 'char_length("user_agent") <= 300' }],
})
