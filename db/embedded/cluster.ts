import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { createFolderAtomically } from './atomic-folder.ts'
import type { Binaries } from './binaries.ts'
import { codeOf, EmbeddedPostgresError, explain, useOtherDatabase } from './error.ts'
import { changeOwner, type ServiceUser } from './user.ts'

/** The embedded server's only role; any process that can reach the socket can use it. */
export const role = 'space_site'

/**
 * Returns the path of the data folder to pass to a PostgreSQL program. If this process runs as root, the program
 * runs as another user. This user may have no access to a parent folder, and then could not open the folder by
 * its path. So the folder becomes the working directory before root privileges are dropped, and the program
 * receives the kernel's link to the working directory.
 */
export function dataArgument(data: string, user: ServiceUser | undefined): string {
  return user ? '/proc/self/cwd' : data
}

/**
 * Creates the data folder with a new database cluster, unless the folder already has one. The cluster stores UTF-8 and
 * sorts by code point.
 * @param data the data folder; its parent exists
 * @param durable false skips fsync
 * @throws EmbeddedPostgresError when the folder contains something else, or data of another major version
 */
export async function ensureCluster(
  data: string,
  binaries: Binaries,
  user: ServiceUser | undefined,
  durable: boolean,
): Promise<void> {
  const version = await versionOf(data)
  if (version === undefined) {
    await createFolderAtomically(data, user, folder => initialize(folder, binaries, user, durable))
  } else if (version !== String(binaries.major)) {
    throw new EmbeddedPostgresError(
      `The data in ${data} belongs to PostgreSQL ${version}, which PostgreSQL ${binaries.major} can't read. ` +
        `Go back to the previous release, or choose another data folder and transfer the content with pg_dump, or ${useOtherDatabase}.`,
    )
  }
  await changeOwner(data, user)
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
    `${data} contains files (such as ${content[0]}) but no PostgreSQL data: move them, or choose another data folder.`,
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
    // The C locale exists on every machine; other locales differ between operating systems.
    '--locale=C',
    ...(durable ? [] : ['--no-sync']),
  ]
  await promisify(execFile)(binaries.initdb, options, { ...user, cwd: folder, env: {} })
}
