import type { Database, Sql } from '../../db/database.ts'
import type { FileStore } from '../../db/file-store/file-store.ts'
import type { NewAuditEvent } from '../../db/queries/audit.ts'
import type { Agent } from '../../db/queries/credentials.ts'
import type { CallerCheck } from '../../db/transaction.ts'
import type { Actor, SessionActor } from './actor.ts'
import type { Addresses } from './addresses.ts'
import type { ErrorCode } from './errors.ts'
import type { FairQueue } from './fair-queue.ts'
import type { Precondition } from './precondition.ts'
import type { Problem } from './problem.ts'
import type { Renderer } from './renderer.ts'
import type { RevisionWatch } from './revision-watch.ts'
import type { CreationLimits } from './rules.ts'
import type { Sites } from './sites.ts'

/** The state of one caller's rate limit window. */
export interface RateState {
  /** Calls allowed in a window. */
  limit: number
  /** Calls left in the window. */
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  reset: number
  /** Whether this call exceeded the limit. */
  refused: boolean
}

/** The cost of hashing a password: memory in KiB, and number of passes over it. */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
}

/** The operator's settings for the front page. */
export interface FrontPage {
  title: string
  text: string
  /** Whether the front page lists the newest posts. */
  hasTimeline: boolean
}

/** Counts calls in windows of a fixed length. */
export interface RateLimiter {
  /** Calls allowed in a window. */
  readonly limit: number
  /** Counts calls (one by default) of a caller. Never rejects: counts in memory while the shared store is down. */
  consume(who: string, calls?: number): Promise<RateState>
}

/** Counts the calls of keys and tokens. */
export interface CallLimiter extends RateLimiter {
  /** Takes back one counted call of a caller. */
  giveBack(who: string): Promise<void>
}

/** Records when credentials were last used. The caller does not wait for the write. */
export interface LastUsed {
  /** Records a use. `agent` is given for a use at a tool server. */
  touch(id: string, agent?: Agent): void
  /** Returns the name of the agent in the latest use of a credential, even if that use has not been written yet. */
  recentAgent(id: string): string | undefined
  /** Records that a tool server refused a secret that begins with this hint. */
  refuse(hint: string): void
  /** Writes the pending uses; call before the process exits. */
  flush(): Promise<void>
}

/**
 * Fetches a file from the public internet.
 *
 * @returns its bytes, and its address after redirects
 * @throws Error whose message completes "could not be fetched: …"
 */
export type FetchFile = (url: URL, maxBytes: number) => Promise<{ bytes: Buffer; url: URL }>

/**
 * Sends a message to an address on the public internet, which anyone can have chosen. Returns the status of the answer.
 *
 * @param signal ends the wait for the answer
 * @throws Error with a message for the person who chose the address, if there is no answer
 */
export type SendWebhook = (
  url: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
) => Promise<number>

/** Counts events that can happen very often. The caller does not wait for the write. */
export interface CountedEvents {
  note(event: NewAuditEvent): void
  /** Writes the counts; call before the process exits. */
  flush(): Promise<void>
}

/** How a caller made a call, for the list of its failed calls. */
export interface CallRequest {
  method: string
  /** The path; for a tool, the path of the tool server and the name of the tool. */
  path: string
  /** The reference of the request in the log. */
  reference: string
}

/** Counts the calls of keys and tokens by result, for the people who issued them. The caller does not wait for the write. */
export interface UsageCounter {
  /** @param problem why the call failed; null if it succeeded */
  note(actor: Actor, request: CallRequest, problem: Problem | null): void
  /** Writes the counts; call before the process exits. */
  flush(): Promise<void>
}

/** A request to a site that is counted. */
export interface Visit {
  spaceId: string
  /** `view` if the reader got a page, list or feed; otherwise why not. */
  kind: 'view' | 'not_found' | 'failed'
  path: string
  /** The host of the page whose link the reader followed; null if it is unknown or on the site itself. */
  source: string | null
  /** Only used to recognize the visitor for the rest of the day; never kept. */
  address: string
  userAgent: string
}

/** Counts visits. The caller does not wait for the write. */
export interface Visits {
  note(visit: Visit): void
  /** Writes the figures; call before the process exits. */
  flush(): Promise<void>
}

/** Called when something happens to the spaces of a stream. The functions must return quickly and not throw. */
export interface StreamListener {
  /** People have opened or closed this space. */
  onPeople: (spaceId: string) => void
  /** The session, a participation or the stream's place in the database has ended. */
  onEnd: () => void
}

/** The stream with which a browser follows the changes of spaces. */
export interface Stream {
  id: string
  /** The spaces that it follows. */
  spaces: readonly { id: string; subdomain: string }[]
  /** Checks again that the session and the participations exist, and that the account was not suspended since the begin. */
  isAllowed(): Promise<boolean>
  leave(): void
}

/** Who has which space open in the dashboard. */
export interface Presence {
  /**
   * Begins a stream. It follows those of the spaces in which the account participates.
   *
   * @param address the client's network address
   * @throws `rate_limited` if the account or the network has too many streams
   */
  enter(
    session: SessionActor,
    address: string | undefined,
    subdomains: readonly string[],
    listener: StreamListener,
  ): Promise<Stream>
  /** Returns the people who have a space open, by handle. */
  people(spaceId: string): Promise<{ handle: string; name: string | null; icon_id: string | null }[]>
}

/** An OAuth client: a program that people can connect. */
export interface OauthClient {
  id: string
  /** The name the client gives itself. */
  name: string
  redirectUris: string[]
  /** The host that serves the client's metadata document; null for a self-registered client. */
  host: string | null
}

/** OAuth clients whose id is the URL of their metadata document (CIMD). */
export interface ClientDocuments {
  /**
   * Returns the client that a metadata document describes.
   *
   * @param id URL of the document
   * @param address network address of the caller, whose concurrent fetches are limited
   * @throws OauthError `invalid_client` with what is wrong with the document, or why fetching it failed;
   * `temporarily_unavailable` while too many other documents are being fetched
   */
  read(id: string, address: string): Promise<OauthClient>
  /** Whether the next `read` is served from the cache. */
  has(id: string): boolean
}

/** Where Markdown is used. Comments can use fewer elements than posts. */
export type MarkdownKind = 'post' | 'comment'

/** Converts Markdown on separate threads, because hostile input of the maximum size takes seconds. */
export interface MarkdownConverter {
  /**
   * Returns the HTML, or null if the conversion exceeds a limit on time or memory.
   *
   * @param account the author's account; accounts take turns
   * @param kind by default a post
   * @throws `rate_limited` when too much Markdown of the account is waiting, `unavailable` when too much is waiting
   *   in total
   */
  convert(text: string, account: string, kind?: MarkdownKind): Promise<string | null>
  /** Ends the threads; queued conversions resolve to null. */
  stop(): Promise<void>
}

/** Asks DNS about domains, and looks for their certificates. */
export interface DomainLookups {
  /** Returns the texts of the TXT records of a name; null if DNS gives no answer. */
  texts(name: string): Promise<string[] | null>
  /** Returns the addresses of a name, sorted; null if DNS gives no answer. */
  addresses(name: string): Promise<string[] | null>
  /** Returns the name that a name is an alias of; null if it is none. */
  alias(name: string): Promise<string | null>
  /**
   * Connects to an address of this instance by TLS, as a browser that opens a domain.
   *
   * @returns why the certificate is missing or not valid; null if it is valid
   */
  certificateError(name: string, address: string): Promise<string | null>
}

/** The verified domains of all spaces, in memory. */
export interface VerifiedDomains {
  /** Returns the subdomain of the space that has this name; undefined for any other name. */
  subdomainOf: (host: string) => string | undefined
  /** Whether a name may get a certificate: it is verified and leads to this instance. */
  mayHaveCertificate: (host: string) => boolean
  /** Reads the names again if they have changed. */
  refresh: () => Promise<void>
}

/** The operators' log. Never log secrets or what people wrote. */
interface OperatorLog {
  warn(details: object, message: string): void
}

/** Whether the process can currently serve requests. */
export interface Health {
  /** False while the database does not respond. */
  readonly isDatabaseUp: boolean
  /** False while the disk is so full that nothing may be written. */
  readonly isWritable: boolean
  /**
   * False while the store of shared rate limits does not respond, so that this process counts in memory;
   * undefined if there is no store.
   */
  readonly hasSharedLimits: boolean | undefined
  /** False while the file store does not respond; undefined if there is none. */
  readonly isFileStoreUp: boolean | undefined
  /** The numbers of the content servers that do not respond; undefined if content is not distributed. */
  readonly missingContentServers: readonly number[] | undefined
  /** True once the process has been told to stop. */
  readonly isStopping: boolean
}

/** Work in the background that has failed since the start of the process. */
export interface FailedWork {
  /** What failed, as the log says it. */
  what: string
  times: number
  latest: Date
}

/** The state of a process, from what its metrics read. */
export interface ProcessState {
  version: string
  startedAt: Date
  /** How many processes serve requests. */
  processes: number
  /** Resident memory, in bytes. */
  memory: number
  connections: { open: number; refused: number }
  pool: { used: number; idle: number; waiting: number }
  evaluations: { open: number; waiting: number; cutOffs: number }
  /** Free bytes on the disk of the embedded database; undefined with another database. */
  freeDisk: number | undefined
  /** Undefined if this process writes no backups. */
  backups: { newest: Date | undefined; failures: number } | undefined
  failedWork: readonly FailedWork[]
}

/** What a check of the installation has found. */
export interface Checkup {
  at: Date
  findings: readonly {
    check: string
    state: 'good' | 'warning' | 'fault'
    found: string
    /** What to do; absent if nothing is wrong. */
    fix?: string
  }[]
}

/** What operators see of the installation. */
export interface Instance {
  state(): ProcessState
  /** Checks the installation. Takes up to half a minute; shares a check that is running or has just ended. */
  check(): Promise<Checkup>
}

/** A finished call of a procedure, or another message to a tool server, for metrics and traces. */
export interface OperationCall {
  /** Path in the router: `pages.create`; or `mcp.` and the method of the message. */
  operation: string
  /** `ok`, or the code of the problem; `rpc_error` for a message that a tool server refused. */
  code: 'ok' | 'rpc_error' | ErrorCode
  seconds: number
}

/** The dependencies of procedures; created once per process. */
export interface Core {
  database: Database
  /** Reads what sites deliver. */
  sites: Sites
  /** Stores the bytes of files; null if the database stores them. */
  fileStore: FileStore | null
  addresses: Addresses
  /** Counts the calls of each key and token per minute. */
  calls: CallLimiter
  /**
   * Two counters for the dashboard's calls per minute. `accounts` counts the calls of each account. `anonymous` counts
   * the calls without a session, by network address.
   */
  dashboardCalls: { anonymous: RateLimiter; accounts: RateLimiter }
  /** Limits on how many of each resource can exist. */
  creationLimits: CreationLimits
  /** Days for which authors can restore earlier versions of posts, and deleted posts. */
  postHistoryDays: number
  /** `posts` counts the new posts of each account. `comments` counts the new comments of each account. */
  creations: { posts: RateLimiter; comments: RateLimiter }
  /** Whether the database and the disk can currently be used. */
  health: Health
  /** Counts sign-in attempts, new accounts and passkey challenges. */
  attempts: {
    /**
     * Counts sign-in attempts. If the browser has signed in to the account before, counts by account and browser.
     * Otherwise, counts by account and network. When a signed-in person must enter a password, passkey or recovery code
     * again, counts these attempts by account.
     */
    byAccount: RateLimiter
    /** Counts by handle, over all networks. */
    byHandle: RateLimiter
    byClient: RateLimiter
    recoveryByClient: RateLimiter
    signUps: RateLimiter
    challenges: RateLimiter
  }
  /** The cost of new hashes. Each stored hash contains its own cost. */
  passwordCost: PasswordCost
  /** Who may create an account: anyone, or people with an invitation. */
  signUp: 'open' | 'invite'
  frontPage: FrontPage
  /** Where people reach the operator: an e-mail address or a web address. */
  contact: string | undefined
  /** Subdomain of the demo space; null if the service has none. */
  demo: string | null
  /** For connecting OAuth clients: rate limits by network address, and metadata documents. */
  oauth: { registrations: RateLimiter; lookups: RateLimiter; documents: ClientDocuments }
  fetchFile: FetchFile
  /** Lets accounts take turns at fetching files. */
  fetchQueue: FairQueue
  /**
   * Lets accounts take turns at reads and writes that can take the database seconds, so that these occupy only a few of
   * the connections that all requests share.
   */
  slowQueries: FairQueue
  /** Counts the searches that agents make, by account. */
  searches: RateLimiter
  domainLookups: DomainLookups
  verifiedDomains: VerifiedDomains
  sendWebhook: SendWebhook
  /** Counts the tests and repeated deliveries that people request for webhooks, by account. */
  webhookTests: RateLimiter
  /** Counts previews of posts, by account. */
  previews: RateLimiter
  /** How long a write waits for the review of what it has saved, in ms. */
  reviewPatience: number
  /** How long a call waits for an earlier one with the same `Idempotency-Key`, in ms. */
  retryPatience: number
  /** Time after which a list of pages evaluates no further page for its title, in ms. */
  listPatience: number
  lastUsed: LastUsed
  countedEvents: CountedEvents
  usage: UsageCounter
  /** Null if this service counts no visits. */
  visits: Visits | null
  /** Tells requests that wait for it when the content of a space changes. */
  revisions: RevisionWatch
  presence: Presence
  /** Called after each write to a space's content, with its revision. */
  onWrite: (spaceId: string, revision: string) => void
  /** Called after a write that changed very many items of a space, and awaited. */
  onMassWrite: () => Promise<void>
  /** Called after changes were erased from a space's history. */
  onErase: (spaceId: string) => void
  renderer: Renderer
  markdown: MarkdownConverter
  /** Called after every procedure call; absent unless metrics or traces are collected. */
  onCall?: ((call: OperationCall) => void) | undefined
  /** Handles of the operators, in lower case. */
  operators: ReadonlySet<string>
  /** Records what operators decide about posts, comments and accounts. */
  log: OperatorLog
  instance: Instance
  /** Returns what to call when work in the background has failed: it logs the error and remembers the failure. */
  onFailure: (what: string) => (error: unknown) => void
}

/** What the delivery of sites needs. */
export interface Delivery extends Pick<Core, 'sites' | 'fileStore' | 'renderer' | 'listPatience' | 'visits'> {
  addresses: Omit<Addresses, 'pageEditor'> & {
    /** The editor of a page in the dashboard; null if there is no dashboard. */
    pageEditor: (subdomain: string, id: string) => string | null
  }
}

/** What a transaction does for a call with an `Idempotency-Key`. */
export interface KeyedCall {
  /** Claims the key for the transaction; fails if another transaction has it. */
  claim: CallerCheck
  /**
   * Runs a transaction that claims the key. While another process has the key, tries again, without a connection in
   * between.
   */
  inTurn: <T>(run: () => Promise<T>) => Promise<T>
  /** Keeps the answer that follows from the output of the call. */
  keep: (sql: Sql, output: unknown) => Promise<unknown>
}

/** One call of one procedure. */
export interface Context {
  core: Core
  /** The caller; null without a valid credential. */
  actor: Actor | null
  /** Input fields from the request's path, so that access can be checked before the body is read. */
  path?: Record<string, string>
  /** Set for a call of a key or token. */
  request?: CallRequest
  /** The call's reference in the log. Callers get it with an internal error. */
  reference?: string
  /** The name of the MCP client, as the client reports it. */
  agent?: string | undefined
  /**
   * Set for a call without an actor, such as an upload through a link. The procedure calls this function with
   * the caller's id once it knows the caller. The input is read only after that.
   */
  onCaller?: (id: string) => void
  /** The state of the credential's rate limit, if this call has already been counted. */
  counted?: RateState
  /**
   * Set if the call starts before the database has checked the credential. Resolves to whether `actor` still
   * holds the credential. If the result is false, the call does not count towards the rate limit.
   */
  isHolder?: Promise<boolean>
  /** Called with the state of the credential's rate limit. */
  onRate?: (state: RateState) => void
  /** Path of the archive file that the call writes or reads on this machine. */
  archive?: string
  /** A condition for a write to take effect. Only REST and tools set it. */
  precondition?: Precondition
  /**
   * Set for a call with an `Idempotency-Key`. The transaction with the effect of the call keeps the answer with
   * `keepAnswer`. Only REST sets it.
   */
  keyed?: KeyedCall
  /**
   * Called when a saved page or part will show an error, as far as its own text says so: because it is not valid, or
   * includes a part that does not exist. Only REST sets it.
   */
  onTemplateError?: (kind: 'syntax' | 'missing_part') => void
  /**
   * Called with the query parameters of the call that lists what follows, if a list is not complete. Only REST sets it.
   */
  onNext?: (parameters: Record<string, string>) => void
  /** Called with the revision of each write to a space's content that the call has made. */
  onWritten?: (revision: string) => void
  /** The caller's network address, which sign-in attempts are counted by. */
  client?: string
  /**
   * Value of the browser's long-lived cookie, or a new value if the browser sent none. The cookie is set together with
   * the session cookie.
   */
  browser?: string
  /** The browser's User-Agent header. */
  userAgent?: string
  /** Sets the browser's session token, or clears it. */
  setSession?: (token: string | null) => void
}
