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

/** Rules that are enforced and documented but that the contract does not list in `rules`. */
export const limits = {
  /** Bytes of a request body. */
  body: 1_048_576,
  /** Bytes of a request body that carries a file. */
  fileBody: 14_680_064,
  dataDescription: 200,
  subdomain: '^[a-z0-9][a-z0-9-]{1,28}[a-z0-9]$',
  spaceName: 60,
  keyLabel: 60,
  /** Pixels of an icon's side. */
  iconSide: 256,
  /** Bytes of an icon as sent. */
  iconBytes: 1_048_576,
  /** Bytes of a request body that carries an icon (contract: User API, conventions). */
  iconBody: 1_399_128,
  passwordMin: 10,
  passwordMax: 200,
  handle: '^[A-Za-z0-9._]{3,15}$',
  handleMin: 3,
  handleMax: 15,
} as const

/** Paths that the site itself serves beside its pages, so that no page can have them as its slug. */
export const RESERVED_SLUGS: readonly string[] = ['articles']
