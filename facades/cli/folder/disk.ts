import { link, lstat, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Failure } from '../failure.ts'

/** The folder with what `space` remembers. */
export const MEMORY_FOLDER = '.space'

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/**
 * Creates a file with its content at once, so that a process that is killed leaves no empty one.
 *
 * @returns false if it exists already
 */
export const createWhole = async (file: string, bytes: Uint8Array): Promise<boolean> => {
  const own = `${file}.${process.pid}`
  await writeFile(own, bytes, { mode: 0o600 })
  try {
    await link(own, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // Some file systems have no hard links.
    return await writeFile(file, bytes, { flag: 'wx', mode: 0o600 }).then(
      () => true,
      (reason: unknown) => {
        if (codeOf(reason) === 'EEXIST') return false
        throw reason
      },
    )
  } finally {
    await rm(own, { force: true })
  }
}

/**
 * Changes the files of a folder so that an interruption at any moment leaves each file as it was before or as it is
 * afterwards: contents are written to temporary files first, and then renamed.
 */
export class Disk {
  readonly root: string
  readonly #before: (step: string) => void
  #staged = 0

  /** @param before called before each step; an error that it throws ends the change there */
  constructor(root: string, before: (step: string) => void = () => {}) {
    this.root = root
    this.#before = before
  }

  /** Returns the bytes of a file, or null if there is none. */
  async read(file: string): Promise<Buffer | null> {
    try {
      return await readFile(path.join(this.root, file))
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
      throw error
    }
  }

  /** Writes a temporary file. @returns its path, to be passed to {@link put} */
  async stage(bytes: Uint8Array): Promise<string> {
    this.#before('stage')
    const temporary = `${MEMORY_FOLDER}/tmp/${process.pid}-${++this.#staged}`
    await mkdir(path.join(this.root, MEMORY_FOLDER, 'tmp'), { recursive: true })
    await writeFile(path.join(this.root, temporary), bytes)
    return temporary
  }

  /** Moves a temporary file to its place. @throws {Failure} if the place is not inside the folder */
  async put(temporary: string, file: string): Promise<void> {
    this.#before(`put ${file}`)
    await this.#requireInside(file)
    await mkdir(path.dirname(path.join(this.root, file)), { recursive: true })
    await rename(path.join(this.root, temporary), path.join(this.root, file))
  }

  /** Writes a file through a temporary one. */
  async write(file: string, bytes: Uint8Array): Promise<void> {
    await this.put(await this.stage(bytes), file)
  }

  /** Creates a small file, see {@link createWhole}. @returns false if it exists already */
  async create(file: string, bytes: Uint8Array): Promise<boolean> {
    this.#before(`create ${file}`)
    await this.#requireInside(file)
    await mkdir(path.dirname(path.join(this.root, file)), { recursive: true })
    return createWhole(path.join(this.root, file), bytes)
  }

  /** Deletes a file, and its folder if it is that of one file and empty now. */
  async remove(file: string): Promise<void> {
    this.#before(`remove ${file}`)
    await this.#requireInside(file)
    await rm(path.join(this.root, file), { force: true })
    if (/^files\/[^/]+\//.test(file)) await rmdir(path.dirname(path.join(this.root, file))).catch(() => {})
  }

  /** Renames a file. */
  async move(from: string, to: string): Promise<void> {
    this.#before(`move ${from}`)
    await this.#requireInside(to)
    await mkdir(path.dirname(path.join(this.root, to)), { recursive: true })
    await rename(path.join(this.root, from), path.join(this.root, to))
  }

  /** Returns the names of the files in a folder. */
  async names(folder: string): Promise<string[]> {
    return readdir(path.join(this.root, folder)).catch(() => [])
  }

  /** Deletes the temporary files that an interrupted command has left. */
  async clean(): Promise<void> {
    await rm(path.join(this.root, MEMORY_FOLDER, 'tmp'), { recursive: true, force: true })
  }

  async #requireInside(file: string): Promise<void> {
    const folders = path.dirname(file).split('/')
    if (path.isAbsolute(file) || file.split(/[\\/]/).includes('..'))
      throw new Failure(`"${file}" would be outside of the folder.`)
    for (const index of folders.keys()) {
      const folder = folders.slice(0, index + 1).join('/')
      const state = await lstat(path.join(this.root, folder)).catch(() => null)
      if (state?.isSymbolicLink())
        throw new Failure(`${folder} is a symbolic link, so nothing is written there.`)
    }
  }
}
