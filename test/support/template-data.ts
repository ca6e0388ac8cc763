import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { createFolderAtomically, removePartialFolders } from '../../db/embedded/atomic-folder.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const CACHE = path.join(ROOT, 'node_modules/.cache/test-database')

/** Everything that decides what the data folder contains. The lockfile determines the version of PostgreSQL. */
const SOURCES = [
  'test/support/database.ts',
  'db/embedded',
  'db/migrations',
  'db/migrations.ts',
  'db/migrate.ts',
  'db/database.ts',
  'package-lock.json',
]

/**
 * Puts a PostgreSQL data folder with the template database into the folder of a test run. Copies the data folder from a
 * cache, because `initdb` and the migrations take longer than most test files. If the cache cannot be used, calls
 * `create` for the folder of the test run.
 *
 * @param folder the folder of the test run; must be empty
 * @param create creates the data folder inside a folder. It starts a server for this, and stops the server at the end.
 * `durable`: whether the data must survive a crash of the machine
 */
export const provideTemplateData = async (
  folder: string,
  create: (folder: string, durable: boolean) => Promise<void>,
): Promise<void> => {
  const cached = path.join(CACHE, await cacheKey())
  try {
    if (!(await exists(cached))) await fillCache(cached, create)
    await copyData(cached, folder)
  } catch (error) {
    console.warn('The cached test database cannot be used:', error)
    await rm(path.join(folder, 'data'), { recursive: true, force: true })
    await create(folder, false)
  }
}

const cacheKey = async () => {
  // Each user has a cache of their own, because PostgreSQL refuses data that belongs to another user.
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.getuid?.()}\n`)
  for (const file of (await Promise.all(SOURCES.map(filesOf))).flat().sort()) {
    hash.update(`${file}\n`).update(await readFile(path.join(ROOT, file)))
  }
  return hash.digest('hex').slice(0, 32)
}

/** Returns the paths of a file, or of the files in a folder, from the root of the repository. */
const filesOf = async (source: string): Promise<string[]> =>
  source.includes('.') ? [source] : (await readdir(path.join(ROOT, source))).map(name => `${source}/${name}`)

const fillCache = async (cached: string, create: (folder: string, durable: boolean) => Promise<void>) => {
  await mkdir(CACHE, { recursive: true })
  await removePartialFolders(CACHE)
  // A folder that has this name is complete. Another run may create it at the same time.
  await createFolderAtomically(cached, undefined, folder => create(folder, true))
  await removeOthers(cached)
}

/** Removes the data of earlier migrations. */
const removeOthers = async (cached: string) => {
  for (const name of await readdir(CACHE)) {
    if (name === path.basename(cached) || name.startsWith('unfinished-')) continue
    const removed = path.join(CACHE, `removed-${randomUUID()}`)
    // Rename the folder before deleting it. If another run is copying the folder, that run notices that it is gone.
    await rename(path.join(CACHE, name), removed).catch(() => {})
    await rm(removed, { recursive: true, force: true })
  }
}

const copyData = async (cached: string, folder: string) => {
  const source = path.join(cached, 'data')
  // `cp -p` keeps the owner, and is several times faster than `fs.cp`.
  await promisify(execFile)('cp', ['-Rp', source, folder])
  if (!(await exists(source))) throw new Error(`${cached} was removed while it was being copied`)
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )
