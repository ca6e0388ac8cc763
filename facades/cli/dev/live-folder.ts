import { setTimeout as sleep } from 'node:timers/promises'
import { FolderWatch } from '../folder/watch.ts'
import { type LocalSite, SiteReader } from '../local/read-site.ts'
import type { SpaceAddress } from '../service/address.ts'

/** Time without a change after which the folder is read, in ms: an editor saves in several steps. */
const PAUSE = 10

/** How long, and how often, to wait for the rest of what seems to be half saved, in ms. */
const HALF_SAVED = 25
const ATTEMPTS = 3

/** After this time, the folder is read again before a document is sent, in ms. Not every file system reports changes. */
const AGE = 1_000

/** The site in a folder, which changes while it is read. */
export class LiveFolder {
  readonly #reader: SiteReader
  readonly #watch: FolderWatch
  readonly #onChange: (site: LocalSite) => void
  readonly #onError: (error: unknown) => void
  #site: LocalSite | undefined
  #reading: Promise<void> | undefined
  #isOutdated = false
  #readAt = 0

  /**
   * @param onChange called with each new state
   * @param onError called if the folder cannot be read any more; the last state then stays
   */
  constructor(
    root: string,
    at: SpaceAddress | null,
    onChange: (site: LocalSite) => void,
    onError: (error: unknown) => void,
  ) {
    this.#reader = new SiteReader(root, at)
    this.#watch = new FolderWatch(root, () => void this.refresh(), PAUSE)
    this.#onChange = onChange
    this.#onError = onError
  }

  /** Reads the folder, and begins to watch it. @throws {Failure} if it is no site */
  async start(): Promise<void> {
    // Begin to watch first, so that no change is missed.
    await this.#watch.refresh()
    this.#publish(await this.#reader.read())
  }

  close(): void {
    this.#watch.close()
  }

  /** Reads what has changed since the folder was last read. */
  async refresh(): Promise<void> {
    this.#isOutdated = true
    this.#reading ??= this.#readUntilCurrent().finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  /** Reads the folder if that was some time ago. */
  async refreshIfOld(): Promise<void> {
    if (performance.now() - this.#readAt > AGE) await this.refresh()
  }

  async #readUntilCurrent(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false
      try {
        await this.#watch.refresh()
        let site = await this.#reader.read()
        for (let attempt = 0; attempt < ATTEMPTS && this.#isHalfSaved(site); attempt++) {
          await sleep(HALF_SAVED)
          site = await this.#reader.read()
        }
        this.#publish(site)
      } catch (error) {
        this.#readAt = performance.now()
        this.#onError(error)
      }
    }
  }

  #publish(site: LocalSite): void {
    this.#readAt = performance.now()
    if (site.version === this.#site?.version) return
    this.#site = site
    this.#onChange(site)
  }

  /** Whether something is missing or wrong that was not so before: editors delete or empty a file before they write it. */
  #isHalfSaved(site: LocalSite): boolean {
    const before = this.#site!
    if (site.version === before.version) return false
    const paths = new Set(
      [...site.pages, ...site.parts, ...site.records, ...site.files].map(({ path }) => path),
    )
    const isGone = [...before.pages, ...before.parts, ...before.records, ...before.files].some(
      ({ path }) => !paths.has(path),
    )
    const known = new Set(before.findings.map(({ file }) => file))
    return isGone || site.findings.some(({ file }) => !known.has(file))
  }
}
