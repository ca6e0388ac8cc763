import os from 'node:os'
import path from 'node:path'
import type { z } from 'zod'
import type { RetentionLimits } from '../../db/queries/history-retention.ts'
import { PASSWORD_COST } from '../../routers/accounts/password.ts'
import type { FrontPage, PasswordCost } from '../../routers/core/context.ts'
import type { CreationLimits } from '../../routers/core/rules.ts'
import type { PostRetentionLimits } from '../../routers/social/posts/history/trim.ts'
import type { MarkdownQueueLimits } from '../../routers/social/posts/markdown/converter.ts'
import type { FileStoreSettings } from '../database/file-store.ts'
import type { BackupSchedule } from '../database/scheduled-backups.ts'
import type { ConnectionLimits } from '../http/connections.ts'
import type { TracingSettings } from '../telemetry/tracing.ts'
import { listOf, masked, plainHandle } from './schemas.ts'
import { DEFAULT_PORT, type Variable, variables } from './variables.ts'

const MIB = 1_048_576

const MAX_PORT = 65_535

/** Invalid environment variables. The message names each of them. */
export class SettingsError extends Error {}

/** The settings of the service, read from environment variables. */
export interface Settings {
  host: string
  port: number
  /** Undefined for the embedded database. */
  databaseUrl: string | undefined
  /** A standby of the database at `databaseUrl`; undefined if there is none. */
  databasePool: number
  preparedStatements: boolean
  dataFolder: string
  /** Undefined if files are in the database. */
  fileStore: FileStoreSettings | undefined
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
  /** Number of processes that share the port. */
  webConcurrency: number
  /** Number of workers of each process. */
  renderProcesses: number
  /** Handles of the operators, in lower case. */
  operators: string[]
  signUp: 'open' | 'invite'
  demo: boolean
  frontPage: FrontPage
  dashboardCallsPerMinute: number
  creationLimits: CreationLimits
  history: RetentionLimits
  postHistory: PostRetentionLimits
  anonymousCallsPerMinute: number
  signInAttempts: { perAccount: number; perClient: number }
  /** Limits for one network address. */
  signUpsPerClient: number
  appRegistrationsPerClient: number
  /** Not configurable. Tests use a lower cost, because they sign up hundreds of people. */
  passwordCost: PasswordCost
  connections: ConnectionLimits
  /** Memory for request bodies, in bytes. */
  bodyMemory: number
  /** Limits on Markdown that waits for conversion, in characters. */
  markdownQueue: MarkdownQueueLimits
  /** Writes are refused while the disk has fewer free bytes than this. */
  minFreeDisk: number
  /** Scheduled backups of the embedded database. */
  backups: BackupSchedule
  /** Port of the metrics; undefined if they are off. */
  metricsPort: number | undefined
  /** Undefined if no traces are sent. */
  tracing: TracingSettings | undefined
  logLevel: string
  /** Time in ms for which a stopping process still accepts requests. */
  stopDelay: number
}

/**
 * Reads the settings from environment variables. An empty variable counts as not set.
 *
 * @throws SettingsError that lists every invalid variable and what is expected
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
    faults.push(`${name} ${result.error.issues[0]!.message}; it is "${masked(value)}"`)
    return undefined
  }
  const port = read('PORT') ?? DEFAULT_PORT
  const apiRoot = read('API_ROOT') ?? `http://localhost:${port}`
  const siteDomain = read('SITE_DOMAIN') ?? `sites.localhost:${port}`
  const databaseUrl = read('DATABASE_URL')
  const demo = read('DEMO')
  const webConcurrency = read('WEB_CONCURRENCY') ?? 1
  const tracingSettings = (): TracingSettings | undefined => {
    const collector = read('OTEL_EXPORTER_OTLP_ENDPOINT')?.replace(/\/$/, '')
    const url = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? (collector && `${collector}/v1/traces`)
    const others = { serviceName: read('OTEL_SERVICE_NAME')!, share: read('OTEL_TRACES_SAMPLER_ARG')! }
    const isDisabled = read('OTEL_SDK_DISABLED') === 'true'
    return url === undefined || isDisabled ? undefined : { url, ...others }
  }
  const fileStoreSettings = (): FileStoreSettings | undefined => {
    const url = read('FILE_STORE_URL')
    const keyId = read('FILE_STORE_KEY_ID')
    const secret = read('FILE_STORE_SECRET')
    const others = {
      region: read('FILE_STORE_REGION')!,
      takesNew: read('FILE_STORE_NEW_FILES') === '1',
      keepDays: read('FILE_STORE_KEEP_DAYS')!,
    }
    if ((keyId === undefined) !== (secret === undefined))
      faults.push('FILE_STORE_KEY_ID and FILE_STORE_SECRET must be set together')
    const credentials = keyId && secret ? { accessKeyId: keyId, secretAccessKey: secret } : undefined
    return url === undefined ? undefined : { url, credentials, ...others }
  }
  const settings: Settings = {
    host: read('HOST')!,
    port,
    databaseUrl,
    databasePool: read('DATABASE_POOL')!,
    preparedStatements: read('DATABASE_PREPARED_STATEMENTS') === '1',
    dataFolder: path.resolve(read('DATA_DIR')!),
    fileStore: fileStoreSettings(),
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
    webConcurrency,
    renderProcesses: read('RENDER_PROCESSES') ?? defaultWorkers(webConcurrency),
    operators: listOf(read('OPERATORS')).map(plainHandle),
    signUp: read('SIGN_UP') ?? (databaseUrl === undefined ? 'open' : 'invite'),
    demo: demo === undefined ? databaseUrl === undefined : demo === '1',
    frontPage: {
      title: read('FRONT_PAGE_TITLE')!,
      text: read('FRONT_PAGE_TEXT')!,
      hasTimeline: read('FRONT_PAGE_TIMELINE') === '1',
    },
    dashboardCallsPerMinute: read('DASHBOARD_CALLS_PER_MINUTE')!,
    creationLimits: {
      spaces: read('MAX_SPACES')!,
      pages: read('MAX_PAGES')!,
      parts: read('MAX_PARTS')!,
      files: read('MAX_FILES')!,
      participants: read('MAX_PARTICIPANTS')!,
      posts: read('MAX_POSTS')!,
      drafts: read('MAX_DRAFTS')!,
      follows: read('MAX_FOLLOWS')!,
      mutes: read('MAX_MUTES')!,
      sessions: read('MAX_SESSIONS')!,
      postsPerMinute: read('POSTS_PER_MINUTE')!,
      commentsPerMinute: read('COMMENTS_PER_MINUTE')!,
    },
    anonymousCallsPerMinute: read('ANONYMOUS_CALLS_PER_MINUTE')!,
    signInAttempts: {
      perAccount: read('SIGN_IN_ATTEMPTS')!,
      perClient: read('SIGN_IN_ATTEMPTS_PER_CLIENT')!,
    },
    signUpsPerClient: read('SIGN_UPS_PER_CLIENT')!,
    appRegistrationsPerClient: read('APP_REGISTRATIONS_PER_CLIENT')!,
    passwordCost: PASSWORD_COST,
    connections: {
      total: read('MAX_CONNECTIONS')!,
      perClient: read('MAX_CONNECTIONS_PER_CLIENT')!,
      pendingBytes: read('RESPONSE_MEMORY_MIB')! * MIB,
      idle: read('IDLE_SECONDS')! * 1000,
      stop: read('STOP_SECONDS')! * 1000,
    },
    history: {
      days: read('HISTORY_DAYS')!,
      versions: read('HISTORY_VERSIONS')!,
      bytes: read('HISTORY_MIB')! * MIB,
    },
    postHistory: {
      days: read('POST_HISTORY_DAYS')!,
      versions: read('POST_HISTORY_VERSIONS')!,
      bytes: read('POST_HISTORY_MIB')! * MIB,
    },
    bodyMemory: read('BODY_MEMORY_MIB')! * MIB,
    markdownQueue: {
      perAccount: read('MARKDOWN_QUEUE_PER_ACCOUNT_MIB')! * MIB,
      total: read('MARKDOWN_QUEUE_MIB')! * MIB,
    },
    minFreeDisk: read('MIN_FREE_DISK_MIB')! * MIB,
    backups: {
      folder: path.resolve(read('BACKUP_DIR') ?? path.join(read('DATA_DIR')!, 'backups')),
      everyHours: read('BACKUP_HOURS')!,
      keep: read('BACKUP_KEEP')!,
    },
    metricsPort: read('METRICS_PORT'),
    tracing: tracingSettings(),
    logLevel: read('LOG_LEVEL')!,
    stopDelay: read('STOP_DELAY_SECONDS')! * 1000,
  }
  faults.push(...metricsPortFaults(settings))
  faults.push(...domainFaults(settings))
  if (faults.length > 0) throw new SettingsError(faults.join('\n'))
  return settings
}

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

const hostOf = (domain: string) => domain.replace(/:\d+$/, '')

export const isLocal = (domain: string) => /(^|\.)localhost$/.test(hostOf(domain))

/** Content domains must not overlap; otherwise, content on one domain could set cookies for another. */
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
