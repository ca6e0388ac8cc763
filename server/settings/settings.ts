import os from 'node:os'
import path from 'node:path'
import type { z } from 'zod'
import { PASSWORD_COST } from '../../routers/accounts/password.ts'
import { creationLimits, historyLimits, postHistoryLimits } from '../../routers/api/rules.ts'
import type { FileStoreSettings } from '../database/file-store.ts'
import type { TracingSettings } from '../telemetry/tracing.ts'
import { listOf, masked, plainHandle } from './schemas.ts'
import { type Variable, variables } from './variables.ts'

const MIB = 1_048_576

const MAX_PORT = 65_535

/** Memory of a process for request bodies, and for responses that clients have not read yet, in bytes. */
const BODY_MEMORY = 128 * MIB
const RESPONSE_MEMORY = 128 * MIB

/** Maximum amount of Markdown of all accounts that waits for conversion in a process, in characters. */
const MARKDOWN_QUEUE = 64 * MIB

/** OAuth clients that one network address can register in 15 minutes. Lookups of their documents are counted separately. */
const APP_REGISTRATIONS_PER_CLIENT = 60

const CONTENT_DOMAINS = ['SITE_DOMAIN', 'PAGES_DOMAIN', 'FILES_DOMAIN', 'POSTS_DOMAIN'] as const

/** Invalid environment variables. The message names each of them. */
export class SettingsError extends Error {}

/** The values that are given. A variable that is not set and has no fixed default is undefined. */
type Given = {
  [Name in Variable]:
    | z.output<(typeof variables)[Name]['schema']>
    | ((typeof variables)[Name]['fallback'] extends '' ? undefined : never)
}

/** The values that apply: {@link Given}, with the defaults that depend on other variables. */
type Values = Given & { [Name in keyof ReturnType<typeof derivedDefaults>]-?: NonNullable<Given[Name]> }

/** The settings of the service, read from environment variables. */
export type Settings = ReturnType<typeof settingsFrom>

/**
 * Reads the settings from environment variables. An empty variable counts as not set.
 *
 * @throws SettingsError that lists every invalid variable and what is expected
 */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings => {
  const values = readValues(environment)
  const settings = settingsFrom(values)
  refuse([...credentialFaults(values), ...metricsPortFaults(settings), ...domainFaults(settings)])
  return settings
}

const refuse = (faults: readonly string[]): void => {
  if (faults.length > 0) throw new SettingsError(faults.join('\n'))
}

/**
 * Reads the values of all variables, with their defaults.
 *
 * @throws SettingsError as {@link readSettings}, but checks each variable by itself only
 */
export const readValues = (environment: NodeJS.ProcessEnv): Values => {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { schema, fallback }] of Object.entries(variables)) {
    const value = environment[name] || fallback
    if (value === '') continue
    const result = schema.safeParse(value)
    if (result.success) values[name] = result.data
    else faults.push(`${name} ${result.error.issues[0]!.message}; it is "${masked(value)}"`)
  }
  refuse(faults)
  const given = values as Given
  return { ...derivedDefaults(given), ...given } as Values
}

/** The defaults that depend on other variables, or on the machine. */
const derivedDefaults = (given: Given) => {
  const { PORT: port, SITE_DOMAIN = `sites.localhost:${port}` } = given
  // Nobody else can reach a trial on one's own machine.
  const isTrial = given.DATABASE_URL === undefined && !isPublic(given)
  return {
    API_ROOT: `http://localhost:${port}`,
    SITE_DOMAIN,
    PAGES_DOMAIN: `pages.localhost:${port}`,
    FILES_DOMAIN: `files.localhost:${port}`,
    POSTS_DOMAIN: `posts.localhost:${port}`,
    PUBLIC_SCHEME: isLocal(SITE_DOMAIN) ? 'http' : 'https',
    BACKUP_DIR: path.join(given.DATA_DIR, 'backups'),
    SIGN_UP: isTrial ? 'open' : 'invite',
    DEMO: isTrial,
    RENDER_PROCESSES: defaultWorkers(given.WEB_CONCURRENCY),
  } as const
}

const settingsFrom = (values: Values) => {
  const apiRoot = values.API_ROOT
  const webConcurrency = values.WEB_CONCURRENCY
  return {
    host: values.HOST,
    port: values.PORT,
    /** Undefined for the embedded database. */
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    preparedStatements: values.DATABASE_PREPARED_STATEMENTS,
    dataFolder: path.resolve(values.DATA_DIR),
    /** Undefined if files are in the database. */
    fileStore: fileStoreSettings(values),
    scheme: values.PUBLIC_SCHEME,
    apiRoot,
    siteDomain: values.SITE_DOMAIN,
    pagesDomain: values.PAGES_DOMAIN,
    filesDomain: values.FILES_DOMAIN,
    postsDomain: values.POSTS_DOMAIN,
    docsUrl: `${apiRoot}/docs`,
    trustedProxies: listOf(values.TRUSTED_PROXIES),
    /** Addresses of DNS servers for the domains of spaces; empty for those of the system. */
    dnsServers: listOf(values.DNS_SERVERS),
    redisUrl: values.REDIS_URL,
    callsPerMinute: values.CALLS_PER_MINUTE,
    /** Number of processes that share the port. */
    webConcurrency,
    /** Number of workers of each process. */
    renderProcesses: values.RENDER_PROCESSES,
    /** Handles of the operators, in lower case. */
    operators: listOf(values.OPERATORS).map(plainHandle),
    signUp: values.SIGN_UP,
    demo: values.DEMO,
    frontPage: {
      title: values.FRONT_PAGE_TITLE,
      text: values.FRONT_PAGE_TEXT,
      hasTimeline: values.FRONT_PAGE_TIMELINE,
    },
    /** Where people reach the operator; undefined if nobody has said so. */
    contact: values.CONTACT,
    countsVisits: values.VISITS,
    dashboardCallsPerMinute: values.DASHBOARD_CALLS_PER_MINUTE,
    creationLimits: {
      ...creationLimits,
      spaces: values.MAX_SPACES,
      pages: values.MAX_PAGES,
      parts: values.MAX_PARTS,
      files: values.MAX_FILES,
      posts: values.MAX_POSTS,
      postsPerMinute: values.POSTS_PER_MINUTE,
      commentsPerMinute: values.COMMENTS_PER_MINUTE,
    },
    anonymousCallsPerMinute: values.ANONYMOUS_CALLS_PER_MINUTE,
    signInAttempts: {
      perAccount: values.SIGN_IN_ATTEMPTS,
      perClient: values.SIGN_IN_ATTEMPTS_PER_CLIENT,
    },
    /** Limits for one network address. */
    signUpsPerClient: values.SIGN_UPS_PER_CLIENT,
    appRegistrationsPerClient: APP_REGISTRATIONS_PER_CLIENT,
    /** Not configurable. Tests use a lower cost, because they sign up hundreds of people. */
    passwordCost: PASSWORD_COST,
    connections: {
      total: values.MAX_CONNECTIONS,
      perClient: values.MAX_CONNECTIONS_PER_CLIENT,
      pendingBytes: RESPONSE_MEMORY,
      idle: values.IDLE_SECONDS * 1000,
      stop: values.STOP_SECONDS * 1000,
    },
    history: {
      days: values.HISTORY_DAYS,
      versions: historyLimits.versions,
      bytes: values.HISTORY_MIB * MIB,
    },
    postHistory: {
      days: values.POST_HISTORY_DAYS,
      versions: postHistoryLimits.versions,
      bytes: postHistoryLimits.mib * MIB,
    },
    /** Memory for request bodies, in bytes. */
    bodyMemory: BODY_MEMORY,
    /** Limits on Markdown that waits for conversion, in characters. */
    markdownQueue: {
      perAccount: values.MARKDOWN_QUEUE_PER_ACCOUNT_MIB * MIB,
      total: MARKDOWN_QUEUE,
    },
    /** Writes are refused while the disk has fewer free bytes than this. */
    minFreeDisk: values.MIN_FREE_DISK_MIB * MIB,
    /** Scheduled backups of the embedded database. */
    backups: {
      folder: path.resolve(values.BACKUP_DIR),
      everyHours: values.BACKUP_HOURS,
      keep: values.BACKUP_KEEP,
    },
    /** Port of the metrics; undefined if they are off. */
    metricsPort: values.METRICS_PORT,
    /** Undefined if no traces are sent. */
    tracing: tracingSettings(values),
    logLevel: values.LOG_LEVEL,
    /** Time in ms for which a stopping process still accepts requests. */
    stopDelay: values.STOP_DELAY_SECONDS * 1000,
  }
}

const tracingSettings = (values: Values): TracingSettings | undefined => {
  const collector = values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, '')
  const url = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (collector && `${collector}/v1/traces`)
  if (url === undefined || values.OTEL_SDK_DISABLED === 'true') return undefined
  return { url, serviceName: values.OTEL_SERVICE_NAME, share: values.OTEL_TRACES_SAMPLER_ARG }
}

const fileStoreSettings = (values: Values): FileStoreSettings | undefined => {
  const { FILE_STORE_URL: url, FILE_STORE_KEY_ID: keyId, FILE_STORE_SECRET: secret } = values
  if (url === undefined) return undefined
  return {
    url,
    credentials: keyId && secret ? { accessKeyId: keyId, secretAccessKey: secret } : undefined,
    region: values.FILE_STORE_REGION,
    takesNew: values.FILE_STORE_NEW_FILES,
    keepDays: values.FILE_STORE_KEEP_DAYS,
  }
}

const credentialFaults = ({ FILE_STORE_KEY_ID: keyId, FILE_STORE_SECRET: secret }: Values): string[] =>
  (keyId === undefined) === (secret === undefined)
    ? []
    : ['FILE_STORE_KEY_ID and FILE_STORE_SECRET must be set together']

/** Returns the default number of workers of each process when this many processes share the machine. */
const defaultWorkers = (processes: number) =>
  Math.ceil(Math.max(2, Math.min(8, os.availableParallelism())) / processes)

const metricsPortFaults = ({ metricsPort: first, port, webConcurrency }: Settings): string[] => {
  if (first === undefined) return []
  const last = first + webConcurrency - 1
  if (last > MAX_PORT)
    return [
      `METRICS_PORT + ${webConcurrency - 1} must not exceed ${MAX_PORT}, because each process has its own port; METRICS_PORT is "${first}"`,
    ]
  if (port < first || port > last) return []
  return webConcurrency === 1
    ? [`METRICS_PORT must differ from PORT; both are ${port}`]
    : [`The ports of the metrics, ${first} to ${last}, must not include PORT, which is ${port}`]
}

/** The host in a domain that may have a port. */
export const hostOf = (domain: string): string => domain.replace(/:\d+$/, '')

export const isLocal = (domain: string) => /(^|\.)localhost$/.test(hostOf(domain))

/** Whether only this machine reaches a host, or an address. */
export const isHere = (host: string) => isLocal(host) || /^(127\.|\[?::1\]?$|::ffff:127\.)/.test(host)

/** Whether others can reach the main site or the content, by their addresses. */
export const isPublic = (values: Pick<Given, 'API_ROOT' | (typeof CONTENT_DOMAINS)[number]>): boolean =>
  [values.API_ROOT && new URL(values.API_ROOT).hostname, ...CONTENT_DOMAINS.map(name => values[name])].some(
    host => host !== undefined && !isHere(hostOf(host)),
  )

/** The domains of content, by their variables. */
export const contentDomains = (settings: Settings) => ({
  SITE_DOMAIN: settings.siteDomain,
  PAGES_DOMAIN: settings.pagesDomain,
  FILES_DOMAIN: settings.filesDomain,
  POSTS_DOMAIN: settings.postsDomain,
})

/** Content domains must not overlap; otherwise, content on one domain could set cookies for another. */
const domainFaults = (settings: Settings): string[] => {
  const domains = Object.entries(contentDomains(settings)).map(
    ([name, domain]) => [name, hostOf(domain)] as const,
  )
  const main = URL.canParse(settings.apiRoot) ? new URL(settings.apiRoot).hostname : ''
  const faults: string[] = []
  for (const [name, domain] of domains) {
    if (isWithin(main, domain))
      faults.push(`${name} must not contain the host of API_ROOT; both are "${domain}"`)
    for (const [other, otherDomain] of domains)
      if (name < other && (isWithin(domain, otherDomain) || isWithin(otherDomain, domain)))
        faults.push(
          `${name} and ${other} must be different and neither a subdomain of the other; they are "${domain}" and "${otherDomain}"`,
        )
  }
  return faults
}

/** Whether a name equals a domain or is a subdomain of it. */
const isWithin = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`)
