import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'

const PORT = 3000

/** `name` or `name:port`, as content domains are given. */
const domain = (description: string) =>
  z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/, {
      error: 'should be a domain in lower case, with a port only if people see one',
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
  .refine(value => !value.endsWith('/'), { error: 'should have no slash at its end' })

/**
 * Every environment variable the service reads: what it is for, and what it is when it is not set.
 * The table in `docs/operating.md` is made from this.
 */
export const variables = {
  HOST: {
    schema: z.string().min(1),
    fallback: '127.0.0.1',
    purpose: 'Address to listen on. `0.0.0.0` for all of IPv4, `::` for everything.',
  },
  PORT: { schema: wholeNumber(1, 65_535), fallback: String(PORT), purpose: 'Port to listen on.' },
  DATABASE_URL: {
    schema: z.string().regex(/^postgres(ql)?:\/\//, { error: 'should begin with postgresql://' }),
    fallback: '',
    purpose: 'A PostgreSQL of version 15 or newer. Without it the service brings up its own.',
  },
  DATABASE_POOL: {
    schema: wholeNumber(2, 1000),
    fallback: '10',
    purpose: 'Most connections to the database that one process holds.',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    fallback: 'data',
    purpose: 'Folder of the database that comes along; relative to where the service is started.',
  },
  PUBLIC_SCHEME: {
    schema: z.enum(['http', 'https'], { error: 'should be http or https' }),
    fallback: '',
    purpose:
      'Scheme of content addresses. Without it `https`, or `http` where `SITE_DOMAIN` ends in `localhost`.',
  },
  API_ROOT: {
    schema: webAddress,
    fallback: '',
    purpose:
      'Public address of the main door, without a slash at its end. Without it `http://localhost:PORT`.',
  },
  SITE_DOMAIN: {
    schema: domain('sites'),
    fallback: '',
    purpose: 'Sites open at `<subdomain>.` this. Without it `sites.localhost:PORT`.',
  },
  PAGES_DOMAIN: {
    schema: domain('pages'),
    fallback: '',
    purpose: 'Scripted pages run at `<id>.` this. Without it `pages.localhost:PORT`.',
  },
  FILES_DOMAIN: {
    schema: domain('files'),
    fallback: '',
    purpose: 'Files open at `<id>.` this. Without it `files.localhost:PORT`.',
  },
  POSTS_DOMAIN: {
    schema: domain('posts'),
    fallback: '',
    purpose: 'Posts open at `<id>.` this. Without it `posts.localhost:PORT`.',
  },
  DOCS_URL: {
    schema: webAddress,
    fallback: '',
    purpose: 'Public address of the reference. Without it `API_ROOT/docs`.',
  },
  TRUSTED_PROXIES: {
    schema: z.string(),
    fallback: '',
    purpose:
      'Proxies whose `X-Forwarded-*` headers are believed: addresses and networks separated by commas, or names such as `loopback`. Empty for none.',
  },
  REDIS_URL: {
    schema: z.string().regex(/^rediss?:\/\//, { error: 'should begin with redis:// or rediss://' }),
    fallback: '',
    purpose:
      'A Valkey or Redis in which several processes count calls together. Without it each counts in memory.',
  },
  CALLS_PER_MINUTE: {
    schema: wholeNumber(1, 1_000_000),
    fallback: '60',
    purpose: 'Calls that one key or token may make in a minute.',
  },
  RENDER_PROCESSES: {
    schema: wholeNumber(1, 64),
    fallback: String(Math.max(2, Math.min(8, os.availableParallelism()))),
    fallbackWords: 'one for each core, at least 2 and at most 8',
    purpose:
      'Processes that evaluate templates. There is one more in reserve, and one for pages that kept being cut off, while such are opened.',
  },
  SIGN_UP: {
    schema: z.enum(['open', 'invite'], { error: 'should be open or invite' }),
    fallback: '',
    purpose:
      'Who may make an account: `open` for anybody, `invite` for whoever was invited to a space. Without it `open` on the database that comes along, else `invite`.',
  },
  OPERATORS: {
    schema: z.string(),
    fallback: '',
    purpose:
      'Handles of the people who run the service, separated by commas; they see reports of posts and can take those posts down. Make the accounts first: while a handle is on this list nobody can take it, at sign-up or later, even where its holder has given it up.',
  },
  DEMO: {
    schema: z.enum(['0', '1'], { error: 'should be 0 or 1' }),
    fallback: '',
    purpose:
      'Whether the first start makes a demo space. Without it yes on the database that comes along, else no.',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'should be trace, debug, info, warn, error, fatal or silent',
    }),
    fallback: 'info',
    purpose: 'Least severe lines that are logged. `info` has one line for each request.',
  },
} as const satisfies Record<
  string,
  { schema: z.ZodType; fallback: string; fallbackWords?: string; purpose: string }
>

type Variable = keyof typeof variables

/** What is wrong with the environment, in words that name the variables. */
export class SettingsError extends Error {}

/** Everything that the environment decides. */
export interface Settings {
  host: string
  port: number
  /** Undefined for the database that comes along. */
  databaseUrl: string | undefined
  databasePool: number
  dataFolder: string
  scheme: 'http' | 'https'
  apiRoot: string
  siteDomain: string
  pagesDomain: string
  filesDomain: string
  postsDomain: string
  docsUrl: string
  trustedProxies: string[]
  redisUrl: string | undefined
  callsPerMinute: number
  renderProcesses: number
  /** Handles in lower case. */
  operators: string[]
  signUp: 'open' | 'invite'
  demo: boolean
  logLevel: string
}

/**
 * Reads the environment. An empty variable counts as not set.
 *
 * @throws SettingsError that names each variable that is wrong and what it should be
 */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings => {
  const faults: string[] = []
  const read = <Name extends Variable>(
    name: Name,
  ): z.output<(typeof variables)[Name]['schema']> | undefined => {
    const { schema, fallback } = variables[name]
    const value = environment[name] || fallback
    if (value === '') return undefined
    const result = schema.safeParse(value)
    if (result.success) return result.data as z.output<(typeof variables)[Name]['schema']>
    faults.push(`${name} ${result.error.issues[0]!.message}; it is "${value}"`)
    return undefined
  }
  const port = read('PORT') ?? PORT
  const apiRoot = read('API_ROOT') ?? `http://localhost:${port}`
  const siteDomain = read('SITE_DOMAIN') ?? `sites.localhost:${port}`
  const databaseUrl = read('DATABASE_URL')
  const demo = read('DEMO')
  const settings: Settings = {
    host: read('HOST')!,
    port,
    databaseUrl,
    databasePool: read('DATABASE_POOL')!,
    dataFolder: path.resolve(read('DATA_DIR')!),
    scheme: read('PUBLIC_SCHEME') ?? (isLocal(siteDomain) ? 'http' : 'https'),
    apiRoot,
    siteDomain,
    pagesDomain: read('PAGES_DOMAIN') ?? `pages.localhost:${port}`,
    filesDomain: read('FILES_DOMAIN') ?? `files.localhost:${port}`,
    postsDomain: read('POSTS_DOMAIN') ?? `posts.localhost:${port}`,
    docsUrl: read('DOCS_URL') ?? `${apiRoot}/docs`,
    trustedProxies: listOf(read('TRUSTED_PROXIES')),
    redisUrl: read('REDIS_URL'),
    callsPerMinute: read('CALLS_PER_MINUTE')!,
    renderProcesses: read('RENDER_PROCESSES')!,
    operators: listOf(read('OPERATORS')).map(handle => handle.replace(/^@/, '').toLowerCase()),
    signUp: read('SIGN_UP') ?? (databaseUrl === undefined ? 'open' : 'invite'),
    demo: demo === undefined ? databaseUrl === undefined : demo === '1',
    logLevel: read('LOG_LEVEL')!,
  }
  faults.push(...domainFaults(settings))
  if (faults.length > 0) throw new SettingsError(faults.join('\n'))
  return settings
}

/** What is between the commas. */
const listOf = (value = '') => value.split(',').flatMap(item => item.trim() || [])

const hostOf = (domain: string) => domain.replace(/:\d+$/, '')

const isLocal = (domain: string) => /(^|\.)localhost$/.test(hostOf(domain))

/** Content of different kinds must not share an origin or a parent that cookies could be set for. */
const domainFaults = (settings: Settings): string[] => {
  const domains = [
    ['SITE_DOMAIN', hostOf(settings.siteDomain)],
    ['PAGES_DOMAIN', hostOf(settings.pagesDomain)],
    ['FILES_DOMAIN', hostOf(settings.filesDomain)],
    ['POSTS_DOMAIN', hostOf(settings.postsDomain)],
  ] as const
  const main = URL.canParse(settings.apiRoot) ? new URL(settings.apiRoot).hostname : ''
  const faults: string[] = []
  for (const [name, domain] of domains) {
    if (isWithin(main, domain))
      faults.push(`${name} must not contain the host of API_ROOT; both have "${domain}"`)
    for (const [other, otherDomain] of domains)
      if (name < other && (isWithin(domain, otherDomain) || isWithin(otherDomain, domain)))
        faults.push(
          `${name} and ${other} must be different and not one inside the other; they are "${domain}" and "${otherDomain}"`,
        )
  }
  return faults
}

/** Whether a name is a domain or below it. */
const isWithin = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`)
