import { z } from 'zod'
import { creationLimits, historyLimits, postHistoryLimits } from '../../routers/api/rules.ts'
import {
  domain,
  handles,
  networks,
  type Variables,
  webAddress,
  whole,
  wholeNumber,
  yesOrNo,
} from './schemas.ts'
import { storageVariables } from './storage-variables.ts'
import { telemetryVariables } from './telemetry-variables.ts'

/**
 * Every environment variable the service reads, with its purpose and default. The table in `docs/operating.md` repeats
 * them; a test compares the two.
 */
export const variables = {
  HOST: {
    schema: z.string().min(1),
    fallback: '127.0.0.1',
    purpose: 'Address to listen on. `0.0.0.0` means all IPv4 addresses, `::` all addresses.',
  },
  PORT: { ...whole(1, 65_535, 3000), purpose: 'Port to listen on.' },
  ...storageVariables,
  PUBLIC_SCHEME: {
    schema: z.enum(['http', 'https'], { error: 'should be http or https' }),
    fallback: '',
    purpose:
      'Scheme of content addresses. The default is `http` if `SITE_DOMAIN` ends in `localhost`; otherwise `https`.',
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
    schema: networks,
    fallback: '',
    purpose:
      'Proxies whose `X-Forwarded-*` headers are trusted: comma-separated addresses and networks, or names such as `loopback`. If not set, no proxies are trusted.',
  },
  REDIS_URL: {
    schema: z.string().regex(/^rediss?:\/\//, { error: 'should begin with redis:// or rediss://' }),
    fallback: '',
    purpose:
      'Valkey or Redis in which several processes share rate limits. If not set, each process counts in memory.',
  },
  CALLS_PER_MINUTE: {
    ...whole(1, 1_000_000, 60),
    purpose: 'Calls per minute that each key or token may make.',
  },
  WEB_CONCURRENCY: {
    ...whole(1, 64, 1),
    purpose:
      'Number of processes that serve requests on the same port. With more than one, set `REDIS_URL` to keep rate limits exact.',
  },
  RENDER_PROCESSES: {
    schema: wholeNumber(1, 64),
    fallback: '',
    fallbackWords: 'one for each core, at least 2 and at most 8, divided by `WEB_CONCURRENCY`',
    purpose:
      'Number of workers of each serving process. Workers are processes that evaluate templates. Each serving process also has one spare worker.',
  },
  SIGN_UP: {
    schema: z.enum(['open', 'invite'], { error: 'should be open or invite' }),
    fallback: '',
    purpose:
      'Who can create an account: `open` for anyone, `invite` only for people invited to a space. If not set, `open` with the embedded database, otherwise `invite`.',
  },
  OPERATORS: {
    schema: handles,
    fallback: '',
    purpose:
      'Comma-separated handles of the accounts that see reports, can take down reported posts and comments, and can suspend accounts. Create the accounts first: nobody can choose a handle on this list, at sign-up or later.',
  },
  DEMO: {
    ...yesOrNo(''),
    purpose:
      '`1` creates a demo space on the first start, `0` does not. If not set, `1` with the embedded database, otherwise `0`.',
  },
  FRONT_PAGE_TITLE: {
    schema: z.string().max(80, { error: 'should have at most 80 characters' }),
    fallback: 'Websites for people and agents',
    purpose: 'Title of the front page.',
  },
  FRONT_PAGE_TEXT: {
    schema: z.string().max(300, { error: 'should have at most 300 characters' }),
    fallback:
      'Write pages in HTML and Liquid, keep their data and files beside them, and let your agent help. Every page is public as soon as you save it.',
    purpose: 'Text under the title of the front page.',
  },
  FRONT_PAGE_TIMELINE: {
    ...yesOrNo('1'),
    purpose: 'Whether the front page shows the newest posts. `0` hides the list, but not the posts.',
  },
  DASHBOARD_CALLS_PER_MINUTE: {
    ...whole(1, 1_000_000, 3000),
    purpose: 'Calls per minute that the dashboard may make for each account.',
  },
  ANONYMOUS_CALLS_PER_MINUTE: {
    ...whole(1, 1_000_000, 600),
    purpose:
      'Calls per minute to `/trpc` that each network address (IPv6: each /64) may make without a session.',
  },
  MAX_SPACES: {
    ...whole(1, 1_000_000, creationLimits.spaces),
    purpose: 'An account that participates in this many spaces cannot create another one.',
  },
  MAX_PAGES: { ...whole(1, 1_000_000, creationLimits.pages), purpose: 'Maximum number of pages in a space.' },
  MAX_PARTS: { ...whole(1, 1_000_000, creationLimits.parts), purpose: 'Maximum number of parts in a space.' },
  MAX_FILES: { ...whole(1, 1_000_000, creationLimits.files), purpose: 'Maximum number of files in a space.' },
  MAX_PARTICIPANTS: {
    ...whole(1, 1_000_000, creationLimits.participants),
    purpose: 'Maximum number of participants in a space.',
  },
  MAX_POSTS: {
    ...whole(1, 1_000_000, creationLimits.posts),
    purpose: 'Maximum number of published posts of an account.',
  },
  MAX_DRAFTS: {
    ...whole(1, 1_000_000, creationLimits.drafts),
    purpose: 'Maximum number of drafts of an account.',
  },
  MAX_FOLLOWS: {
    ...whole(1, 10_000, creationLimits.follows),
    purpose: 'Maximum number of people that an account can follow.',
  },
  MAX_MUTES: {
    ...whole(1, 10_000, creationLimits.mutes),
    purpose: 'Maximum number of people that an account can mute or block.',
  },
  MAX_SESSIONS: {
    ...whole(1, 1_000_000, creationLimits.sessions),
    purpose:
      'Maximum number of sessions of an account. Another sign-in ends the session that was used least recently.',
  },
  HISTORY_DAYS: {
    ...whole(1, 3_650, historyLimits.days),
    purpose: 'Number of days for which the changes to a space are kept.',
  },
  HISTORY_VERSIONS: {
    ...whole(5, 10_000, historyLimits.versions),
    purpose:
      'Number of versions of each page, part, record, file and setting that are kept even if the item was deleted or the versions are older than `HISTORY_DAYS`.',
  },
  HISTORY_MIB: {
    ...whole(1, 1_000_000, historyLimits.mib),
    purpose:
      'Maximum size of the history of a space, in MiB. If the history is larger, its oldest changes are deleted even before `HISTORY_DAYS` have passed. The last 5 versions of each item are kept. But if the kept versions of deleted items are together larger than this maximum, the oldest of these versions are deleted too. The history does not count against the quotas.',
  },
  POST_HISTORY_DAYS: {
    ...whole(1, 3_650, postHistoryLimits.days),
    purpose: 'Number of days for which the authors of posts can restore earlier versions and deleted posts.',
  },
  POST_HISTORY_VERSIONS: {
    ...whole(1, 10_000, postHistoryLimits.versions),
    purpose:
      'Maximum number of earlier versions of each post. Above it, the oldest versions are deleted even before `POST_HISTORY_DAYS` have passed.',
  },
  POST_HISTORY_MIB: {
    ...whole(4, 100_000, postHistoryLimits.mib),
    purpose:
      'Maximum size of the earlier versions and deleted posts of an account, in MiB. Above it, the oldest are deleted even before `POST_HISTORY_DAYS` have passed.',
  },
  POSTS_PER_MINUTE: {
    ...whole(1, 1_000_000, creationLimits.postsPerMinute),
    purpose: 'New posts and drafts of an account per minute.',
  },
  COMMENTS_PER_MINUTE: {
    ...whole(1, 1_000_000, creationLimits.commentsPerMinute),
    purpose: 'New comments of an account per minute.',
  },
  SIGN_IN_ATTEMPTS: {
    ...whole(1, 1_000_000, 10),
    purpose:
      'Attempts in 15 minutes to sign in to an account from one network (IPv6: one /64). Attempts from a browser that has signed in to the account before, attempts with recovery codes, and confirmations are each counted separately. After ten times as many attempts from all networks together, each further attempt takes longer.',
  },
  SIGN_IN_ATTEMPTS_PER_CLIENT: {
    ...whole(1, 1_000_000, 100),
    purpose:
      'Attempts in 15 minutes to sign in to any account from one network address (IPv6: one /64). Attempts with recovery codes are counted separately.',
  },
  SIGN_UPS_PER_CLIENT: {
    ...whole(1, 1_000_000, 100),
    purpose: 'Attempts to create an account in 15 minutes from one network address (IPv6: one /64).',
  },
  APP_REGISTRATIONS_PER_CLIENT: {
    ...whole(1, 1_000_000, 60),
    purpose:
      'OAuth clients that one network address (IPv6: one /64) can register in 15 minutes. Requests that look up the metadata document of a client have the same limit and are counted separately.',
  },
  MAX_CONNECTIONS: {
    ...whole(10, 1_000_000, 2000),
    purpose:
      'Maximum number of connections to one process. When it is reached, each new connection closes an older one: the oldest connection of the network address (IPv6: /64) that has the most connections.',
  },
  MAX_CONNECTIONS_PER_CLIENT: {
    ...whole(1, 1_000_000, 256),
    purpose:
      'Maximum number of connections from one network address (IPv6: one /64) to one process. Does not apply to `TRUSTED_PROXIES`.',
  },
  IDLE_SECONDS: {
    ...whole(5, 3600, 30),
    purpose:
      'The service closes a connection after this many seconds without progress in either direction. If the client does not read a response, the service can wait twice as long.',
  },
  STOP_DELAY_SECONDS: {
    ...whole(0, 300, 0),
    purpose:
      'Seconds for which a process keeps accepting requests after it is told to stop, while `/readyz` returns 503, so that a load balancer has time to notice.',
  },
  STOP_SECONDS: {
    ...whole(1, 300, 10),
    purpose: 'Seconds that open requests get to finish when the process stops. After that, they are cut off.',
  },
  BODY_MEMORY_MIB: {
    ...whole(16, 65_536, 128),
    purpose:
      'Memory for request bodies in one process, in MiB. If it is exceeded, the caller that uses most of it gets a 503.',
  },
  MARKDOWN_QUEUE_MIB: {
    ...whole(1, 65_536, 64),
    purpose:
      'Maximum amount of Markdown that waits for conversion in one process, in MiB. Posts beyond it get a 503.',
  },
  MARKDOWN_QUEUE_PER_ACCOUNT_MIB: {
    ...whole(1, 65_536, 16),
    purpose:
      'Maximum amount of Markdown that waits for conversion in one process, for each account, in MiB. Posts beyond it get a 429.',
  },
  RESPONSE_MEMORY_MIB: {
    ...whole(16, 65_536, 128),
    purpose:
      'Memory for unsent responses in one process, in MiB. If it is exceeded, the connections that use most of it are closed.',
  },
  MIN_FREE_DISK_MIB: {
    ...whole(0, 1_000_000_000, 512),
    purpose:
      'Minimum free disk space, in MiB. While the disk of `DATA_DIR` has less, writes get a 503. While the disk of `TMPDIR` has less, exports and imports get a 503.',
  },
  BACKUP_HOURS: {
    ...whole(0, 8_760, 24),
    purpose: 'Hours between two backups of the embedded database. `0` means none.',
  },
  BACKUP_KEEP: {
    ...whole(1, 1_000, 7),
    purpose: 'Number of backups of the embedded database to keep. Older backups are deleted.',
  },
  BACKUP_DIR: {
    schema: z.string().min(1),
    fallback: '',
    purpose: 'Folder for the backups of the embedded database. If not set, `backups` in `DATA_DIR`.',
  },
  ...telemetryVariables,
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'should be trace, debug, info, warn, error, fatal or silent',
    }),
    fallback: 'info',
    purpose:
      'Lowest level that is logged. `info` logs one line per request, except for successful requests for assets and health checks. `debug` logs those too.',
  },
} as const satisfies Variables

export type Variable = keyof typeof variables
