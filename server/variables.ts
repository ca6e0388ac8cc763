import os from 'node:os'
import { z } from 'zod'
import { creationLimits } from '../routers/core/rules.ts'

/** The port when none is set. */
export const DEFAULT_PORT = 3000

/** A content domain: `name` or `name:port`. */
const domain = (description: string) =>
  z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/, {
      error: 'should be a lower-case domain, with a port only if visitors use it',
    })
    .meta({ description })

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine(value => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max, {
      error: `should be a whole number from ${min} to ${max}`,
    })
    .transform(Number)

const webAddress = z
  .url({ protocol: /^https?$/, error: 'should be an http or https address' })
  .refine(value => !value.endsWith('/'), { error: 'should not end in a slash' })

/**
 * Every environment variable the service reads, with its purpose and default. The table in `docs/operating.md` has the
 * same texts; a test compares them.
 */
export const variables = {
  HOST: {
    schema: z.string().min(1),
    fallback: '127.0.0.1',
    purpose: 'Address to listen on. `0.0.0.0` means all IPv4 addresses, `::` all addresses.',
  },
  PORT: { schema: wholeNumber(1, 65_535), fallback: String(DEFAULT_PORT), purpose: 'Port to listen on.' },
  DATABASE_URL: {
    schema: z.string().regex(/^postgres(ql)?:\/\//, { error: 'should begin with postgresql://' }),
    fallback: '',
    purpose: 'PostgreSQL database to use, version 15 or newer. If not set, the service starts its own.',
  },
  DATABASE_POOL: {
    schema: wholeNumber(2, 1000),
    fallback: '10',
    purpose: 'Maximum number of database connections of one process.',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    fallback: 'data',
    purpose: 'Folder of the embedded database, relative to the working directory.',
  },
  PUBLIC_SCHEME: {
    schema: z.enum(['http', 'https'], { error: 'should be http or https' }),
    fallback: '',
    purpose:
      'Scheme of content addresses. If not set, `https`, or `http` where `SITE_DOMAIN` ends in `localhost`.',
  },
  API_ROOT: {
    schema: webAddress,
    fallback: '',
    purpose:
      'Public address of the main site, without a trailing slash. If not set, `http://localhost:PORT`.',
  },
  SITE_DOMAIN: {
    schema: domain('sites'),
    fallback: '',
    purpose: 'Sites are served at `<subdomain>.` + this domain. If not set, `sites.localhost:PORT`.',
  },
  PAGES_DOMAIN: {
    schema: domain('pages'),
    fallback: '',
    purpose: 'Scripted pages are served at `<id>.` + this domain. If not set, `pages.localhost:PORT`.',
  },
  FILES_DOMAIN: {
    schema: domain('files'),
    fallback: '',
    purpose: 'Files are served at `<id>.` + this domain. If not set, `files.localhost:PORT`.',
  },
  POSTS_DOMAIN: {
    schema: domain('posts'),
    fallback: '',
    purpose: 'Posts are served at `<id>.` + this domain. If not set, `posts.localhost:PORT`.',
  },
  DOCS_URL: {
    schema: webAddress,
    fallback: '',
    purpose: 'Public address of the reference. If not set, `API_ROOT/docs`.',
  },
  TRUSTED_PROXIES: {
    schema: z.string(),
    fallback: '',
    purpose:
      'Proxies whose `X-Forwarded-*` headers are trusted: comma-separated addresses and networks, or names such as `loopback`. If not set, none.',
  },
  REDIS_URL: {
    schema: z.string().regex(/^rediss?:\/\//, { error: 'should begin with redis:// or rediss://' }),
    fallback: '',
    purpose:
      'Valkey or Redis in which several processes share rate limits. If not set, each process counts in memory.',
  },
  CALLS_PER_MINUTE: {
    schema: wholeNumber(1, 1_000_000),
    fallback: '60',
    purpose: 'Calls per minute that each key or token may make.',
  },
  RENDER_PROCESSES: {
    schema: wholeNumber(1, 64),
    fallback: String(Math.max(2, Math.min(8, os.availableParallelism()))),
    fallbackWords: 'one for each core, at least 2 and at most 8',
    purpose: 'Number of worker processes that evaluate templates. There is also one spare worker.',
  },
  SIGN_UP: {
    schema: z.enum(['open', 'invite'], { error: 'should be open or invite' }),
    fallback: '',
    purpose:
      'Who can create an account: `open` for anyone, `invite` only for people invited to a space. If not set, `open` with the embedded database, otherwise `invite`.',
  },
  OPERATORS: {
    schema: z.string(),
    fallback: '',
    purpose:
      'Comma-separated handles of the accounts that see reports and can take reported posts down. Create the accounts first: nobody can sign up with a handle on this list or change theirs to it.',
  },
  DEMO: {
    schema: z.enum(['0', '1'], { error: 'should be 0 or 1' }),
    fallback: '',
    purpose:
      'Set to `1` to create a demo space on the first start, `0` for none. If not set, `1` with the embedded database, otherwise `0`.',
  },
  DASHBOARD_CALLS_PER_MINUTE: {
    schema: wholeNumber(1, 1_000_000),
    fallback: '3000',
    purpose: 'Calls per minute that the dashboard may make for each account.',
  },
  ANONYMOUS_CALLS_PER_MINUTE: {
    schema: wholeNumber(1, 1_000_000),
    fallback: '600',
    purpose:
      'Calls per minute without a session that each network address (IPv6: each /64) may make to `/trpc`.',
  },
  MAX_SPACES: {
    schema: wholeNumber(1, 1_000_000),
    fallback: String(creationLimits.spaces),
    purpose: 'Spaces that an account can participate in and still create another.',
  },
  MAX_PAGES: {
    schema: wholeNumber(1, 1_000_000),
    fallback: String(creationLimits.pages),
    purpose: 'Pages of a space.',
  },
  MAX_PARTS: {
    schema: wholeNumber(1, 1_000_000),
    fallback: String(creationLimits.parts),
    purpose: 'Parts of a space.',
  },
  MAX_FILES: {
    schema: wholeNumber(1, 1_000_000),
    fallback: String(creationLimits.files),
    purpose: 'Files of a space.',
  },
  MAX_PARTICIPANTS: {
    schema: wholeNumber(1, 1_000_000),
    fallback: String(creationLimits.participants),
    purpose: 'Participants of a space.',
  },
  MAX_POSTS: {
    schema: wholeNumber(1, 1_000_000),
    fallback: String(creationLimits.posts),
    purpose: 'Published posts of an account.',
  },
  MAX_DRAFTS: {
    schema: wholeNumber(1, 1_000_000),
    fallback: String(creationLimits.drafts),
    purpose: 'Drafts of an account.',
  },
  MAX_SESSIONS: {
    schema: wholeNumber(1, 1_000_000),
    fallback: String(creationLimits.sessions),
    purpose: 'Sessions of an account. One more ends the session that was used least recently.',
  },
  POSTS_PER_MINUTE: {
    schema: wholeNumber(1, 1_000_000),
    fallback: String(creationLimits.postsPerMinute),
    purpose: 'New posts and drafts of an account in a minute.',
  },
  COMMENTS_PER_MINUTE: {
    schema: wholeNumber(1, 1_000_000),
    fallback: String(creationLimits.commentsPerMinute),
    purpose: 'New comments of an account in a minute.',
  },
  SIGN_IN_ATTEMPTS: {
    schema: wholeNumber(1, 1_000_000),
    fallback: '10',
    purpose:
      'Attempts in 15 minutes to sign in to an account from one network (IPv6: one /64). A browser that has signed in to the account before, recovery codes and confirmations have as many of their own. After ten times as many from all networks, each attempt takes longer.',
  },
  SIGN_IN_ATTEMPTS_PER_CLIENT: {
    schema: wholeNumber(1, 1_000_000),
    fallback: '100',
    purpose:
      'Attempts in 15 minutes to sign in to any account from one network address (IPv6: one /64). Recovery codes have as many of their own.',
  },
  MAX_CONNECTIONS: {
    schema: wholeNumber(10, 1_000_000),
    fallback: '2000',
    purpose: 'Maximum number of connections to one process.',
  },
  MAX_CONNECTIONS_PER_CLIENT: {
    schema: wholeNumber(1, 1_000_000),
    fallback: '256',
    purpose:
      'Maximum number of connections from one network address (IPv6: one /64) to one process. Does not apply to `TRUSTED_PROXIES`.',
  },
  IDLE_SECONDS: {
    schema: wholeNumber(5, 3600),
    fallback: '30',
    purpose: 'A connection without progress in either direction is closed after this many seconds.',
  },
  BODY_MEMORY_MIB: {
    schema: wholeNumber(16, 65_536),
    fallback: '256',
    purpose:
      'Memory for request bodies in one process, in MiB. If it is exceeded, the caller that uses most of it gets a 503.',
  },
  MARKDOWN_QUEUE_MIB: {
    schema: wholeNumber(1, 65_536),
    fallback: '64',
    purpose: 'Markdown that can wait for conversion in one process, in MiB. More gets a 503.',
  },
  MARKDOWN_QUEUE_PER_ACCOUNT_MIB: {
    schema: wholeNumber(1, 65_536),
    fallback: '16',
    purpose: 'Markdown of one account that can wait for conversion in one process, in MiB. More gets a 429.',
  },
  RESPONSE_MEMORY_MIB: {
    schema: wholeNumber(16, 65_536),
    fallback: '128',
    purpose:
      'Memory for unsent responses in one process, in MiB. If it is exceeded, the connections that use most of it are closed.',
  },
  MIN_FREE_DISK_MIB: {
    schema: wholeNumber(0, 1_000_000_000),
    fallback: '512',
    purpose: 'Writes get a 503 while the disk of `DATA_DIR` has less free space than this, in MiB.',
  },
  METRICS_PORT: {
    schema: wholeNumber(1, 65_535),
    fallback: '',
    purpose: 'Port on which `GET /metrics` returns metrics for Prometheus. If not set, none.',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'should be trace, debug, info, warn, error, fatal or silent',
    }),
    fallback: 'info',
    purpose:
      'Lowest level that is logged. `info` logs one line per request, `debug` also requests for assets and health checks.',
  },
} as const satisfies Record<
  string,
  { schema: z.ZodType; fallback: string; fallbackWords?: string; purpose: string }
>

export type Variable = keyof typeof variables
