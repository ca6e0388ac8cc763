import { z } from 'zod'
import { creationLimits, historyLimits, postHistoryLimits } from '../../routers/api/rules.ts'
import {
  contactAddress,
  dnsServers,
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

const first = {
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
  TRUSTED_PROXIES: {
    schema: networks,
    fallback: '',
    purpose:
      'Proxies whose `X-Forwarded-*` headers are trusted: comma-separated addresses and networks, or names such as `loopback`. If not set, no proxies are trusted.',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    fallback: 'data',
    purpose: 'Folder of the embedded database, relative to the working directory.',
  },
  BACKUP_DIR: {
    schema: z.string().min(1),
    fallback: '',
    purpose: 'Folder for the backups of the embedded database. If not set, `backups` in `DATA_DIR`.',
  },
  SIGN_UP: {
    schema: z.enum(['open', 'invite'], { error: 'should be open or invite' }),
    fallback: '',
    purpose:
      'Who can create an account: `open` for anyone, `invite` only for people invited to a space. If not set, `open` with the embedded database and no address that others can reach, otherwise `invite`.',
  },
  OPERATORS: {
    schema: handles,
    fallback: '',
    purpose:
      'Comma-separated handles of the accounts that see how the service is doing, see reports, can take down reported posts and comments, and can suspend accounts. Create the accounts first: nobody can choose a handle on this list, at sign-up or later.',
  },
} as const satisfies Variables

const network = {
  HOST: {
    schema: z.string().min(1),
    fallback: '127.0.0.1',
    purpose: 'Address to listen on. `0.0.0.0` means all IPv4 addresses, `::` all addresses.',
  },
  PORT: { ...whole(1, 65_535, 3000), purpose: 'Port to listen on.' },
  DNS_SERVERS: {
    schema: dnsServers,
    fallback: '',
    purpose:
      'DNS servers that are asked about the domains of spaces: comma-separated addresses, with a port if it is not 53. If not set, those of the system.',
  },
  PUBLIC_SCHEME: {
    schema: z.enum(['http', 'https'], { error: 'should be http or https' }),
    fallback: '',
    purpose:
      'Scheme of content addresses. The default is `http` if `SITE_DOMAIN` ends in `localhost`; otherwise `https`.',
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
  REDIS_URL: {
    schema: z.string().regex(/^rediss?:\/\//, { error: 'should begin with redis:// or rediss://' }),
    fallback: '',
    purpose:
      'Valkey or Redis in which several processes share rate limits. If not set, each process counts in memory.',
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
  IDLE_SECONDS: {
    ...whole(5, 3600, 30),
    purpose:
      'The service closes a connection after this many seconds without progress in either direction. If the client does not read a response, the service can wait twice as long.',
  },
} as const satisfies Variables

const frontPage = {
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
  CONTACT: {
    schema: contactAddress,
    fallback: '',
    purpose:
      'Where people who use the service or its APIs reach you: an e-mail address, or a web address. The reference and the OpenAPI documents show it.',
  },
  DEMO: {
    ...yesOrNo(''),
    purpose:
      '`1` creates a demo space on the first start, `0` does not. If not set, `1` with the embedded database and no address that others can reach, otherwise `0`.',
  },
} as const satisfies Variables

const quotas = {
  MAX_SPACES: {
    ...whole(1, 1_000_000, creationLimits.spaces),
    purpose: 'An account that participates in this many spaces cannot create another one.',
  },
  MAX_PAGES: { ...whole(1, 1_000_000, creationLimits.pages), purpose: 'Maximum number of pages in a space.' },
  MAX_PARTS: { ...whole(1, 1_000_000, creationLimits.parts), purpose: 'Maximum number of parts in a space.' },
  MAX_FILES: { ...whole(1, 1_000_000, creationLimits.files), purpose: 'Maximum number of files in a space.' },
  MAX_POSTS: {
    ...whole(1, 1_000_000, creationLimits.posts),
    purpose: 'Maximum number of published posts of an account.',
  },
  HISTORY_DAYS: {
    ...whole(1, 3_650, historyLimits.days),
    purpose: 'Number of days for which the changes to a space are kept.',
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
} as const satisfies Variables

const overload = {
  CALLS_PER_MINUTE: {
    ...whole(1, 1_000_000, 60),
    purpose: 'Calls per minute that each key or token may make.',
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
  MARKDOWN_QUEUE_PER_ACCOUNT_MIB: {
    ...whole(1, 65_536, 16),
    purpose:
      'Maximum amount of Markdown that waits for conversion in one process, for each account, in MiB. Posts beyond it get a 429.',
  },
} as const satisfies Variables

/** Every environment variable that the service reads, grouped by why an operator would set it. */
export const variableGroups: readonly { title: string; text: string; variables: Variables }[] = [
  {
    title: 'What every public service sets',
    text: 'On your own machine, none of them is needed. [space-site.env](deploy/space-site.env) is an example.',
    variables: first,
  },
  {
    title: 'Where it listens, and with how many processes',
    text: 'Set them if another program uses the port, or if one process is not enough.',
    variables: network,
  },
  {
    title: 'Where content is kept',
    text: 'Set them to use a PostgreSQL server or a file store of your own, or other backups than daily ones.',
    variables: storageVariables,
  },
  {
    title: 'What visitors see first',
    text: 'Set them to present your own service.',
    variables: frontPage,
  },
  {
    title: 'How much people can have',
    text: 'Raise or lower them to fit your disk and your terms. If a limit is lowered, nothing is deleted.',
    variables: quotas,
  },
  {
    title: 'How much one caller can do',
    text: 'The defaults suit a public service. Raise them if many people share a network address, as in a school, or if programs of your own need more.',
    variables: overload,
  },
  {
    title: 'What it tells you',
    text: 'Set them to watch the service.',
    variables: telemetryVariables,
  },
]

/** All of them by name. */
export const variables = {
  ...first,
  ...network,
  ...storageVariables,
  ...frontPage,
  ...quotas,
  ...overload,
  ...telemetryVariables,
} as const satisfies Variables

export type Variable = keyof typeof variables
