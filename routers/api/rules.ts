/**
 * Every limit of the Space API. The schemas enforce it, `GET /spaces/{subdomain}` returns it, and the reference lists
 * it. Lengths are Unicode code points, sizes are bytes (contract: "rules shape" and "Limits").
 */
export const rules = {
  page: {
    slug: { min_length: 1, max_length: 60, pattern: '^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$' },
    kinds: ['scripted', 'static'],
    default_kind: 'scripted',
    html_max_length: 262_144,
  },
  part: {
    name: { min_length: 1, max_length: 60, pattern: '^[a-z0-9](?:[a-z0-9_-]{0,58}[a-z0-9])?$' },
    html_max_length: 262_144,
    total_max_length: 1_048_576,
  },
  data: {
    key_pattern: '^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$',
    max_records: 100,
    value_max_bytes: 65_536,
    total_max_bytes: 1_048_576,
    max_depth: 32,
  },
  file: {
    max_bytes: 10_485_760,
    quota_bytes: 104_857_600,
    name_max_length: 255,
    encodings: ['base64', 'text'],
  },
} as const

/** The sites that a new space can begin with; `routers/content/starters/sites` has a folder for each. */
export const starters = [
  'blog',
  'portfolio',
  'restaurant',
  'club',
  'personal',
  'event',
  'links',
  'documentation',
] as const

export type Starter = (typeof starters)[number]

/** The id of the operation of the history that fills a new space. A space begins with one starter, so it is unique there. */
export const starterOperation = (starter: Starter) => `starter-${starter}`

/** Width and height of an icon of a space or person, in pixels. */
const ICON_SIDE = 256
/** Maximum size of an uploaded icon, in bytes. */
const ICON_BYTES = 1_048_576
/** Maximum size of a request body, in bytes. */
const BODY = 1_048_576

/**
 * Every limit of the User API. The schemas enforce it, `GET /me` returns it, and the reference lists it (contract:
 * "Profile rules", "Limits"). Lengths are Unicode code points, sizes are bytes.
 */
export const userRules = {
  profile: {
    handle: { min_length: 3, max_length: 15, pattern: '^[A-Za-z0-9._]{3,15}$' },
    display_name: { max_length: 30 },
    bio: { max_length: 1000 },
    icon: { width: ICON_SIDE, height: ICON_SIDE, max_bytes: ICON_BYTES },
  },
  post: {
    formats: ['html', 'markdown', 'reblog'],
    default_format: 'html',
    html: { max_bytes: BODY },
    markdown: { max_bytes: BODY },
    url: { max_length: 2048, schemes: ['http', 'https'] },
    text: { max_length: 200 },
    tags: { max_count: 5, min_length: 1, max_length: 50 },
  },
  comment: {
    body: { min_length: 1, max_length: 500 },
    list_max_count: 100,
  },
} as const

/** Limits that are enforced and documented but are not part of the contract's `rules`. */
export const limits = {
  /** Size of a request body, in bytes. */
  body: BODY,
  /** Size of the body of a dashboard request without a session, in bytes. */
  anonymousBody: 65_536,
  /** Size of a request body with a file, in bytes. */
  fileBody: 14_680_064,
  /** Processor time that parsing, evaluating and sanitizing a page may each use, in ms. */
  pageCpu: 250,
  dataDescription: 200,
  /**
   * Maximum number and total size in bytes of the drafts that an account keeps in one space. The same limits apply to
   * the account's drafts of posts.
   */
  editorDrafts: 200,
  editorDraftBytes: 33_554_432,
  /** Size of a request body with a draft, in bytes. A draft contains the text before and after the edits. */
  draftBody: 8_388_608,
  /** Maximum number of parts that are edited beside a page or another part. */
  partsBeside: 4,
  /** How long a draft is kept after its last change, in days, and how long its preview can be shared, in hours. */
  draftDays: 90,
  draftShareHours: 24,
  /**
   * Limits of the audit log. The first limit is how many days an event is kept. The second limit is how many events of
   * each kind a space or account can have: beyond that number, the oldest events are merged or deleted.
   */
  auditDays: 365,
  auditEvents: 10_000,
  /**
   * How long a notification is kept, in days, and maximum number of an account's notifications; the oldest are deleted
   * first.
   */
  notificationDays: 90,
  notifications: 500,
  /**
   * Figures about visits: how many days they are kept; how many visitors of a space are counted exactly on one day; and
   * how many paths and sources of each kind a day has.
   */
  visitDays: 730,
  exactVisitors: 20_000,
  visitNames: 100,
  /**
   * Answers to calls with an `Idempotency-Key`: how many hours they are kept; how many are kept for each key and token,
   * of which the oldest are deleted first; maximum length of an `Idempotency-Key`; and maximum length of an answer that
   * refuses a call, in characters: a longer one is not kept.
   */
  keptAnswerHours: 24,
  keptAnswers: 5_000,
  idempotencyKey: 255,
  keptRefusal: 8_192,
  /**
   * Usage of a key or token: how many days its calls are counted for, how many failed calls are listed, and for how many
   * days.
   */
  usageDays: 30,
  failedCalls: 100,
  failedCallDays: 7,
  /**
   * For the operators' view of the whole installation: days of figures, length of lists, and up to which number things
   * are counted, so that the view of a large installation stays cheap.
   */
  instanceDays: 14,
  instanceListed: 20,
  instanceCounted: 100_000,
  /** The dashboard counts unread notifications only up to this number. */
  unreadNotifications: 100,
  /** Maximum number of open requests of an account that wait for changes, for each space that they watch, by process. */
  watchersPerAccount: 300,
  /** How long a request for the items of a space can wait for a change, in seconds. */
  listingWait: 25,
  /**
   * Maximum number of browsers of an account, and of a network, that follow changes at a process, and of spaces that each
   * follows.
   */
  streamsPerAccount: 20,
  streamsPerNetwork: 200,
  followedSpaces: 10,
  /** Maximum number of authors in the filter of a space's history. */
  historyActors: 1000,
  /** Maximum size of an earlier picture that the history shows, in bytes. */
  historyPicture: 5_242_880,
  /** Maximum size of a file that the history shows as text, in bytes. */
  historyText: 262_144,
  /** Maximum number of characters of a rendered page that one call returns. */
  renderedText: 50_000,
  /** Maximum length of the text to search for, and maximum number of matches that a search returns. */
  searchText: 200,
  searchMatches: 50,
  /** Maximum number of bytes of names and bodies that one search reads. */
  searchBytes: 33_554_432,
  /** Searches of one account per minute; each can take the database a quarter of a second. */
  searchesPerMinute: 60,
  /** Maximum number of replacements in one edit. */
  edits: 50,
  /** Maximum number of pages in one call of `write_many`. The same maximum applies to parts, and to records. */
  manyWrites: 50,
  /** Maximum number of pages and parts that are updated when a part is renamed or a text is replaced everywhere. */
  renamedUses: 400,
  /** Maximum total length of these pages and parts, in characters. */
  renamedText: 16_777_216,
  /** Maximum number of pages that are evaluated before a write that must not break any page. */
  checkedPages: 200,
  subdomain: '^[a-z0-9][a-z0-9-]{1,28}[a-z0-9]$',
  spaceName: 60,
  /** Maximum length of the label of a key or token. */
  keyLabel: 60,
  /** Lifetimes that a key or token can have, in days. */
  keyDays: [30, 90, 365],
  /** How long a rotated key or token can keep working, in seconds. */
  overlapSeconds: [0, 3600, 86_400, 604_800],
  /**
   * Maximum number of a space's current keys: keys that work and have not been rotated. The same maximum applies
   * separately to rotated keys that still work, and to expired keys in the list.
   */
  keys: 500,
  /**
   * Maximum number of an account's current tokens, connected apps included. The same maximum applies separately to
   * rotated tokens that still work, and to expired tokens in the list.
   */
  tokens: 500,
  /** Unused, unexpired invitations of a space. */
  openInvites: 50,
  /** Lifetime of an invitation, in days. */
  inviteDays: 7,
  /** Links of a space with which anyone can see a draft, and for how many days each works. */
  previewLinks: 50,
  previewLinkDays: 30,
  /** Saves and deletions of pages that are scheduled in a space, and by an account; and how many days ahead each can be. */
  schedules: 100,
  schedulesOfAccount: 500,
  scheduleDays: 366,
  /** Domains of a space. A domain and its `www.` name count as one. */
  domains: 10,
  /** Maximum length of the name of a domain. */
  domainName: 253,
  /**
   * Days after which a domain that nobody proves is dropped, and after which a domain without proof, or that leads
   * elsewhere, is switched off.
   */
  domainDays: 7,
  /**
   * Webhooks of a space, and webhooks that an account has added; maximum length of their addresses; and how many tests
   * and repeated deliveries an account can request per minute.
   */
  webhooks: 10,
  webhooksOfAccount: 50,
  webhookUrl: 2048,
  webhookTestsPerMinute: 20,
  /** Seconds within which a receiver must answer. */
  webhookSeconds: 10,
  /**
   * Retries of a delivery: the pause after the first attempt in seconds, by which factor it grows, its maximum in seconds,
   * and for how many days deliveries can fail before the webhook is switched off.
   */
  webhookRetries: { firstPause: 5, factor: 3, longestPause: 21_600, days: 3 },
  /** Changes in one delivery; how many deliveries of a webhook are kept, and for how many days. */
  webhookChanges: 100,
  webhookDeliveries: 100,
  webhookDeliveryDays: 30,
  /** How long the secret before a rotation still signs, in hours. */
  webhookOverlapHours: 24,
  /** Lifetime of an upload link, in minutes. */
  uploadLinkMinutes: 10,
  /** Maximum length of the reason for a report, for taking down a post or comment, or for suspending an account. */
  reportReason: 500,
  iconSide: ICON_SIDE,
  iconBytes: ICON_BYTES,
  /** Size of a request body with an icon, in bytes (contract: User API, conventions). */
  iconBody: 1_399_128,
  /** Size of the manifest in a space's archive, in bytes. */
  archiveManifest: 33_554_432,
  /**
   * Maximum total size of the page bodies that an import keeps in memory, in bytes. It reads the other bodies again
   * when it needs them.
   */
  archiveMemory: 16_777_216,
  /** Maximum number of files that the dashboard downloads at once, as a zip archive. */
  downloadedFiles: 10_000,
  /** Maximum length of the text to search for in the dashboard. */
  quickSearch: 100,
  passwordMin: 10,
  passwordMax: 200,
  passkeys: 20,
  passkeyLabel: 60,
} as const

/**
 * How many of each resource can exist where the contract names no limit. Operators can change each limit
 * (`docs/settings.md`); `Core.creationLimits` holds the enforced limits.
 */
export const creationLimits = {
  /** An account that participates in this many spaces cannot create another one. */
  spaces: 1_000,
  /** Maximum numbers of resources in a space. */
  pages: 5_000,
  parts: 1_000,
  files: 10_000,
  participants: 500,
  /** Maximum numbers of posts and drafts of an account. */
  posts: 10_000,
  drafts: 1_000,
  /** Number of people that an account can follow. */
  follows: 1_000,
  /** Number of people that an account can mute or block. */
  mutes: 1_000,
  /** Sessions of an account. Starting another session ends the least recently used one. */
  sessions: 100,
  /** New posts and comments of an account per minute. */
  postsPerMinute: 300,
  commentsPerMinute: 300,
}

/** How much of a space's history is kept by default. Operators can change the days and the size (`docs/settings.md`). */
export const historyLimits = {
  days: 90,
  /** Number of versions of each item that are kept even if they are older than `days`. */
  versions: 20,
  /** Maximum size of a space's history, in MiB. */
  mib: 512,
}

/** How much of the history of posts is kept by default. Operators can change the days (`docs/settings.md`). */
export const postHistoryLimits = {
  days: 30,
  /** Maximum number of earlier versions of each post. */
  versions: 100,
  /** Maximum size of the history of all posts of an account, in MiB. */
  mib: 128,
}

export type CreationLimits = { [Name in keyof typeof creationLimits]: number }

/** Paths that the site itself serves, which no page can have as its slug. */
export const RESERVED_SLUGS: readonly string[] = ['articles']
