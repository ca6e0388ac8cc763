import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { CONTENT_FOLDERS } from './paths.ts'

const PAUSE = 100

/** Tells when something in the folder of a site changes. Its own watch of each folder also works where a recursive one does not. */
export class FolderWatch {
  readonly #root: string
  readonly #onChange: () => void
  readonly #pause: number
  readonly #watchers = new Map<string, FSWatcher>()
  #timer: NodeJS.Timeout | undefined

  /**
   * @param onChange called after the last of several changes
   * @param pause time without a change after which an editor has finished saving, in ms
   */
  constructor(root: string, onChange: () => void, pause = PAUSE) {
    this.#root = root
    this.#onChange = onChange
    this.#pause = pause
  }

  /** Watches folders that are new, and no longer those that are gone. */
  async refresh(): Promise<void> {
    const files = await readdir(path.join(this.#root, 'files'), { withFileTypes: true }).catch(() => [])
    const folders = files.filter(entry => entry.isDirectory()).map(({ name }) => `files/${name}`)
    const wanted = new Set(['', ...CONTENT_FOLDERS, ...folders])
    for (const folder of [...this.#watchers.keys()].filter(folder => !wanted.has(folder))) this.#end(folder)
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#begin(folder)
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const folder of this.#watchers.keys()) this.#end(folder)
  }

  #begin(folder: string): void {
    try {
      const watcher = watch(path.join(this.#root, folder), (_event, name) => {
        // Everything that the command itself writes begins there.
        if (folder === '' && name === '.space') return
        // A folder that was replaced by another of its name is no longer watched.
        if (folder === '' && name !== null && this.#watchers.has(name)) this.#end(name)
        this.#note()
      })
      watcher.on('error', () => this.#end(folder))
      this.#watchers.set(folder, watcher)
    } catch {
      // The folder does not exist yet, or the system has no watchers left: the command looks from time to time too.
    }
  }

  #end(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }

  #note(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onChange, this.#pause)
  }
}
