import type { Em, Orm } from '../../db/orm.ts'
import type { Actor } from '../access/actor.ts'
import type { LastUsed } from '../access/last-used.ts'
import type { RateLimiter, RateState } from '../access/rate-limit.ts'
import type { ClientDocuments } from '../credentials/oauth/documents.ts'
import type { Renderer } from '../liquid/renderer.ts'
import type { MarkdownConverter } from '../social/posts/markdown/converter.ts'
import type { Addresses } from './addresses.ts'

/** The service's log, as procedures write to it: never anything that opens something, nor what people wrote. */
interface OperatorLog {
  warn(details: object, message: string): void
}

/** What procedures stand on; made once by the process. */
export interface Core {
  orm: Orm
  addresses: Addresses
  /** Counts the calls of each key and token in a minute. */
  calls: RateLimiter
  /** Counts attempts to sign in, new accounts, and questions for passkeys. */
  attempts: { byHandle: RateLimiter; byClient: RateLimiter; signUps: RateLimiter; challenges: RateLimiter }
  /** Who may make an account: anybody, or whoever has an invitation. */
  signUp: 'open' | 'invite'
  /** What connecting a client by its address needs: limits by network address, and descriptions of clients. */
  oauth: { registrations: RateLimiter; lookups: RateLimiter; documents: ClientDocuments }
  /** Counts previews of posts, by account. */
  previews: RateLimiter
  lastUsed: LastUsed
  renderer: Renderer
  markdown: MarkdownConverter
  /** Handles of the people who run the service, in lower case. */
  operators: ReadonlySet<string>
  /** Where the people who run the service find later who did what to somebody else's content. */
  log: OperatorLog
}

/** One call of one procedure. */
export interface Context {
  core: Core
  /** A unit of work of this call's own. */
  em: Em
  /** Who calls; null when there is no valid credential. */
  actor: Actor | null
  /** What the address already says of the input, so that access is settled before a body is read. */
  path?: Record<string, string>
  /** The number under which the call stands in the log; a caller is told it with a fault. */
  reference?: string
  /** Hears how many calls the credential has left. */
  onRate?: (state: RateState) => void
  /** The caller's network address, which sign-in attempts are counted by. */
  client?: string
  /** What the caller's browser says it is. */
  userAgent?: string
  /** Hands the browser a session token, or takes it away. */
  setSession?: (token: string | null) => void
}
