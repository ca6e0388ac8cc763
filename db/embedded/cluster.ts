import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { codeOf, EmbeddedPostgresError, explain, useAnother } from './error.ts'
import { makeWhole } from './unfinished.ts'
import { handOver, type ServiceUser } from './user.ts'

/** The one role of the embedded server; who may reach its socket may use it. */
export const role = 'space_site'

/**
 * How a PostgreSQL program is told where its data are. It enters its data folder by name, which needs every
 * parent folder to be open to its user; root's own folders are not. As root we enter the folder before giving
 * up root's rights, and name it by the link that the kernel keeps for each process.
 */
export function dataArgument(data: string, user: ServiceUser | undefined): string {
  return user ? '/proc/self/cwd' : data
}

/**
 * Makes a data folder with a fresh database cluster when there is none: UTF-8, sorted by code point.
 * @param data the data folder; its parent exists
 * @param durable false skips waiting for the disk
 * @throws EmbeddedPostgresError when the folder holds something else, or data of another major version
 */
export async function ensureCluster(
  data: string,
  binaries: Binaries,
  user: ServiceUser | undefined,
  durable: boolean,
): Promise<void> {
  const version = await versionOf(data)
  if (version === undefined) {
    await makeWhole(data, user, folder => initialize(folder, binaries, user, durable))
  } else if (version !== String(binaries.major)) {
    throw new EmbeddedPostgresError(
      `The data in ${data} were made by PostgreSQL ${version}, and this is PostgreSQL ${binaries.major}, which can't read them. ` +
        `Go back to the release that made them, or choose another data folder and bring the content over with pg_dump, or ${useAnother}.`,
    )
  }
  await handOver(data, user)
}

async function versionOf(data: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(data, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw explain(data, error)
  }
  const content = await readdir(data).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw explain(data, error)
  })
  if (content.length === 0) return undefined
  throw new EmbeddedPostgresError(
    `${data} holds files (such as ${content[0]}) but no PostgreSQL data: move them away, or choose another data folder.`,
  )
}

async function initialize(
  folder: string,
  binaries: Binaries,
  user: ServiceUser | undefined,
  durable: boolean,
) {
  const options = [
    `--pgdata=${dataArgument(folder, user)}`,
    `--username=${role}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // The operating system's locales differ from machine to machine; this one is everywhere.
    '--locale=C',
    ...(durable ? [] : ['--no-sync']),
  ]
  await promisify(execFile)(binaries.initdb, options, { ...user, cwd: folder, env: {} })
}
