import { access, constants, mkdir, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { contentDomains, hostOf, isHere, isLocal, isPublic, readValues, type Settings } from './settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Files that a process needs besides the connections of clients: for the database, workers, logs and temporary files. */
const OTHER_FILES = 300

/** Below this number of open files, even a few visitors could bring the service down. */
const LEAST_FILES = OTHER_FILES + 200

/** Limit of open files of this process; undefined if the system does not tell. Node.js has raised it to the maximum. */
export const openFilesLimit = (): number | undefined => {
  // Otherwise, the report would look up the names of all connected hosts.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}

/** Checks what the service would otherwise notice long after its start. Returns a sentence for each fault. */
export const startFaults = async (
  settings: Settings,
  environment: Environment,
  openFiles: number | undefined,
): Promise<string[]> => [
  ...forgottenDomains(settings, environment),
  ...openFilesFaults(openFiles),
  ...(await folderFaults(settings, environment)),
]

/** The defaults of the content domains only work on this machine. */
const forgottenDomains = (settings: Settings, environment: Environment): string[] => {
  const { apiRoot } = settings
  if (isHere(new URL(apiRoot).hostname)) return []
  const missing = Object.keys(contentDomains(settings)).filter(name => !environment[name])
  if (missing.length === 0) return []
  return [
    `${missing.join(', ')} must be set, because API_ROOT is public ("${apiRoot}"), and browsers of visitors cannot reach the default domains under localhost`,
  ]
}

const openFilesFaults = (limit: number | undefined): string[] =>
  limit === undefined || limit >= LEAST_FILES
    ? []
    : [
        `The limit of open files is ${limit}, and the service needs at least ${LEAST_FILES}; raise it with ulimit -n, or LimitNOFILE in a unit file of systemd`,
      ]

/** Returns why files cannot be written to a folder; undefined if they can. */
const obstacle = async (folder: string): Promise<string | undefined> => {
  try {
    if (!(await stat(folder)).isDirectory()) return 'it is a file'
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const folderFaults = async (settings: Settings, environment: Environment): Promise<string[]> => {
  const faults: string[] = []
  const temporary = await obstacle(os.tmpdir())
  if (temporary)
    faults.push(
      `TMPDIR should be a folder that this user can write to; it is "${os.tmpdir()}" (${temporary})`,
    )
  const { databaseUrl, backups } = settings
  // The default is a folder in DATA_DIR, which the embedded database checks and creates.
  if (databaseUrl === undefined && backups.everyHours > 0 && environment.BACKUP_DIR) {
    const folder = path.resolve(backups.folder)
    const created = await mkdir(folder, { recursive: true, mode: 0o700 }).then(
      () => undefined,
      (error: Error) => error.message,
    )
    const reason = created ?? (await obstacle(folder))
    if (reason)
      faults.push(
        `BACKUP_DIR should be a folder that this user can write to; it is "${folder}" (${reason}). Set BACKUP_HOURS=0 for no backups`,
      )
  }
  return faults
}

/** Returns what may be wrong with settings that the service can start with. */
export const startWarnings = (settings: Settings, openFiles: number | undefined): string[] => {
  const warnings: string[] = []
  const { apiRoot, host, trustedProxies, connections } = settings
  // Only a proxy on this machine can reach a loopback address.
  if (trustedProxies.length === 0 && !isHere(new URL(apiRoot).hostname) && isHere(host))
    warnings.push(
      `API_ROOT is public ("${apiRoot}") and HOST is "${host}", so requests arrive through a proxy, but TRUSTED_PROXIES is not set: all visitors share the limits of one address. Set TRUSTED_PROXIES=loopback`,
    )
  if (openFiles !== undefined && openFiles < connections.total + OTHER_FILES)
    warnings.push(
      `The limit of open files is ${openFiles}, too low for MAX_CONNECTIONS=${connections.total}: raise it to ${connections.total + OTHER_FILES} with ulimit -n, or LimitNOFILE in a unit file of systemd`,
    )
  return warnings
}

/** Says what public addresses have switched off, because the operator has not decided about it. */
export const startNotes = (environment: Environment): string[] => {
  if (!isPublic(readValues({ ...environment }))) return []
  const closed = [
    ...(environment.SIGN_UP ? [] : ['only invited people can create an account (SIGN_UP=invite)']),
    ...(environment.DEMO ? [] : ['there is no demo space (DEMO=0)']),
  ]
  return closed.length > 0 ? [`The service is public, so ${closed.join(', and ')}`] : []
}

/**
 * Checks the content domains against the Public Suffix List that is bundled with `tldts`. Domains under `localhost`
 * are not checked.
 *
 * @returns one warning for each unsafe domain, with what to do about it
 */
export const domainWarnings = async (settings: Settings): Promise<string[]> => {
  const domains = Object.entries(contentDomains(settings))
    .map(([name, domain]) => ({ name, host: hostOf(domain) }))
    .filter(({ host }) => !isLocal(host))
  if (domains.length === 0) return []
  // The list is large, and most development machines don't need it.
  const { getDomain, getPublicSuffix } = await import('tldts')
  const main = getDomain(new URL(settings.apiRoot).hostname)
  return domains.flatMap(({ name, host }) => {
    if (getPublicSuffix(host, { allowPrivateDomains: true }) === host) return []
    const registrable = getDomain(host)
    if (registrable === main)
      return [
        `${name} (${host}) shares the registrable domain of API_ROOT, so content could set cookies for it. Use another domain.`,
      ]
    if (registrable !== host)
      return [
        `${name} (${host}) is not a domain that can be registered. Use ${registrable === null ? 'a registrable domain such as example.com' : `${registrable} or a similar domain`}.`,
      ]
    return [
      `${name} (${host}) is not on the Public Suffix List, so content at one of its subdomains could set cookies for the others. Submit it at https://publicsuffix.org/submit/.`,
    ]
  })
}
