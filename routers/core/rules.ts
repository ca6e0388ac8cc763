/**
 * Every limit of the Space API: what the schemas enforce is what `GET /spaces/{subdomain}` reports and the
 * reference prints. Lengths are Unicode code points, sizes are bytes (contract: "rules shape" and "Limits").
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

/** Pixels of the side of an icon, of a space or of a person. */
const ICON_SIDE = 256
/** Bytes of an icon as sent. */
const ICON_BYTES = 1_048_576
/** Bytes of a request body. */
const BODY = 1_048_576

/**
 * Every limit of the User API: what the schemas enforce is what `GET /me` reports and the reference prints
 * (contract: "Profile rules", "Limits"; decisions 32 to 37). Lengths are Unicode code points, sizes are bytes.
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

/** Rules that are enforced and documented but that the contract does not list in `rules`. */
export const limits = {
  /** Bytes of a request body. */
  body: BODY,
  /** Bytes of a dashboard request's body without a session. */
  anonymousBody: 65_536,
  /** Bytes of a request body that carries a file. */
  fileBody: 14_680_064,
  dataDescription: 200,
  subdomain: '^[a-z0-9][a-z0-9-]{1,28}[a-z0-9]$',
  spaceName: 60,
  /** Of a key or a token. */
  keyLabel: 60,
  /** Days after which a key or token can be made to end. */
  keyDays: [30, 90, 365],
  /** Seconds for which a key or token that has been replaced can go on working. */
  overlapSeconds: [0, 3600, 86_400, 604_800],
  /** Keys of a space that work. Beside them as many that were replaced may work on, and as many that ended are listed. */
  keys: 500,
  /** Tokens of an account that work, connected clients among them. Others are counted as with keys. */
  tokens: 500,
  /** Invitations of a space that nobody has used yet and that still open. */
  openInvites: 50,
  /** Days that an invitation opens for. */
  inviteDays: 7,
  reportReason: 500,
  iconSide: ICON_SIDE,
  iconBytes: ICON_BYTES,
  /** Bytes of a request body that carries an icon (contract: User API, conventions). */
  iconBody: 1_399_128,
  passwordMin: 10,
  passwordMax: 200,
  passkeys: 20,
  passkeyLabel: 60,
} as const

/**
 * How many of each thing there can be where the contract names no limit (decision 44a). Operators can change each
 * (`docs/operating.md`); what is enforced is `Core.creationLimits`.
 */
export const creationLimits = {
  /** Spaces that an account participates in before it can create no more. */
  spaces: 1_000,
  /** Of a space. */
  pages: 5_000,
  parts: 1_000,
  files: 10_000,
  participants: 500,
  /** Of an account. */
  posts: 10_000,
  drafts: 1_000,
  /** Of an account, per minute. */
  postsPerMinute: 300,
  commentsPerMinute: 300,
} as const

export type CreationLimits = { [Name in keyof typeof creationLimits]: number }

/** Paths that the site itself serves beside its pages, so that no page can have them as its slug. */
export const RESERVED_SLUGS: readonly string[] = ['articles']
