import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Disk } from '../../../facades/cli/folder/disk.ts'
import { alone } from '../../../facades/cli/folder/memory.ts'
import type { Space } from '../../../facades/cli/service/space.ts'
import { type Round, syncOnce } from '../../../facades/cli/sync/keep-in-sync.ts'
import { type Pulled, pull } from '../../../facades/cli/sync/pull.ts'
import { planPush, push } from '../../../facades/cli/sync/push.ts'
import { listed, openSiteFolder, type Status, statusOf } from '../../../facades/cli/sync/site-folder.ts'

const ADDRESS = 'https://example.com/spaces/garden'

/** A folder of a site, in which tests write as an editor does. */
export class TestFolder {
  readonly root: string
  readonly #space: Space
  /** Called before each step that changes the folder. */
  before: (step: string) => void = () => {}

  private constructor(root: string, space: Space) {
    this.root = root
    this.#space = space
  }

  static async create(space: Space): Promise<TestFolder> {
    return new TestFolder(await mkdtemp(path.join(os.tmpdir(), 'space-folder-')), space)
  }

  async write(file: string, content: string | Buffer): Promise<void> {
    await mkdir(path.dirname(path.join(this.root, file)), { recursive: true })
    await writeFile(path.join(this.root, file), content)
  }

  read(file: string): Promise<string | null> {
    return readFile(path.join(this.root, file), 'utf8').catch(() => null)
  }

  delete(file: string): Promise<void> {
    return rm(path.join(this.root, file), { force: true })
  }

  /** The files of the folder by path, without what it remembers. */
  async files(): Promise<Record<string, string>> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true })
    const paths = entries
      .filter(entry => entry.isFile())
      .map(entry => path.relative(this.root, path.join(entry.parentPath, entry.name)))
      .filter(file => !file.startsWith('.space/'))
      .sort()
    return Object.fromEntries(await Promise.all(paths.map(async file => [file, await this.read(file)])))
  }

  #open() {
    return openSiteFolder(this.root, ADDRESS, this.before)
  }

  #alone<Result>(run: () => Promise<Result>): Promise<Result> {
    return alone(new Disk(this.root, this.before), run)
  }

  pull(): Promise<Pulled> {
    return this.#alone(async () => pull(await this.#open(), this.#space))
  }

  push() {
    return this.#alone(async () => {
      const folder = await this.#open()
      const plan = await planPush(folder, this.#space)
      if (plan.changes.length > 0) await push(folder, this.#space, plan)
      return plan.changes.map(({ path, change }) => `${change} ${path}`)
    })
  }

  /** One round of `space sync`. */
  sync(): Promise<Round> {
    return this.#alone(() => syncOnce(() => this.#open(), this.#space))
  }

  async status(): Promise<Status> {
    const { remote } = await listed(this.#space)
    return statusOf(await this.#open(), remote)
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true })
  }
}
