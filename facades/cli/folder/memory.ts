import { Failure, Outdated } from '../failure.ts'
import { mergeable, type Settings, sha256 } from './content.ts'
import { type Disk, MEMORY_FOLDER } from './disk.ts'
import { isItemPath } from './paths.ts'

/** What the folder remembers of an item: its state in the space at the last sync. */
export interface Remembered {
  /** The version of the service. */
  version: string
  /** See `digestOf`. */
  digest: string
  settings: Settings
  /** The digest of the text to merge with; null for what cannot be merged. */
  base: string | null
  /** The path of its file in the folder. */
  file: string
}

const FILE = `${MEMORY_FOLDER}/memory.json`
const BASES = `${MEMORY_FOLDER}/base`
const LOCK = `${MEMORY_FOLDER}/lock`

/** The memory of a folder: the state of each item at the last sync, in files that git ignores. */
export class Memory {
  readonly items: Map<string, Remembered>
  readonly #disk: Disk
  readonly #address: string

  private constructor(disk: Disk, address: string, items: Map<string, Remembered>) {
    this.#disk = disk
    this.#address = address
    this.items = items
  }

  /** Reads the memory. It is empty in a fresh checkout, and after the folder got the address of another space. */
  static async open(disk: Disk, address: string): Promise<Memory> {
    const text = (await disk.read(FILE))?.toString()
    return new Memory(
      disk,
      address,
      new Map(Object.entries(text === undefined ? {} : itemsIn(text, address))),
    )
  }

  /** Returns the text of an item at the last sync, or null if it cannot be merged. */
  async base(path: string): Promise<string | null> {
    const digest = this.items.get(path)?.base ?? null
    const bytes = digest === null ? null : await this.#disk.read(`${BASES}/${digest}`)
    return bytes !== null && sha256(bytes) === digest ? bytes.toString() : null
  }

  /** Keeps the text of an item for later merges. To be called before the item is changed. @returns its digest */
  async keep(path: string, bytes: Uint8Array): Promise<string | null> {
    const text = mergeable(path, bytes)
    if (text === null) return null
    const digest = sha256(text)
    if ((await this.#disk.read(`${BASES}/${digest}`)) === null)
      await this.#disk.write(`${BASES}/${digest}`, Buffer.from(text))
    return digest
  }

  /** Writes the memory. To be called after the files of the folder have been written. */
  async save(): Promise<void> {
    await this.#disk.write(`${MEMORY_FOLDER}/.gitignore`, Buffer.from('*\n'))
    const items = Object.fromEntries(this.items)
    await this.#disk.write(FILE, Buffer.from(JSON.stringify({ address: this.#address, items })))
    const used = new Set([...this.items.values()].map(({ base }) => base))
    for (const name of await this.#disk.names(BASES))
      if (!used.has(name)) await this.#disk.remove(`${BASES}/${name}`)
  }
}

const itemsIn = (text: string, address: string): Record<string, Remembered> => {
  try {
    const memory = JSON.parse(text) as { address: string; items: Record<string, Remembered> }
    if (memory.address !== address) return {}
    // A checkout of someone else can have a memory with other paths in it.
    if (Object.entries(memory.items).every(isPossible)) return memory.items
  } catch {
    // Reported below.
  }
  throw new Failure(`${FILE} is damaged; delete it and run space pull.`)
}

const isPossible = ([path, { file, base }]: [string, Remembered]): boolean =>
  isItemPath(path) &&
  isItemPath(file.replace(/\.html$/, '.liquid')) &&
  (base === null || /^[0-9a-f]{64}$/.test(base))

/**
 * Runs a command as the only one in the folder.
 *
 * @throws {Failure} while another command runs there
 */
export const alone = async <Result>(disk: Disk, run: () => Promise<Result>): Promise<Result> => {
  const owner = Buffer.from(String(process.pid))
  if (!(await disk.create(LOCK, owner))) {
    const holder = Number((await disk.read(LOCK))?.toString() ?? 0)
    if (holder !== process.pid && isRunning(holder))
      throw new Outdated(
        `Another space command (process ${holder}) is running in this folder; wait until it has ended, or delete ${LOCK} if there is none.`,
      )
    // A command that was killed has left it.
    await disk.write(LOCK, owner)
  }
  try {
    await disk.clean()
    return await run()
  } finally {
    await disk.clean().catch(() => {})
    await disk.remove(LOCK).catch(() => {})
  }
}

/** Whether a process exists. */
export const isRunning = (pid: number): boolean => {
  // The file of an earlier version can be empty.
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
