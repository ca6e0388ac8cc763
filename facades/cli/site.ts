import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { Failure } from './failure.ts'
import { Disk } from './folder/disk.ts'
import { readListing, writeListing } from './folder/listing-file.ts'
import { alone } from './folder/memory.ts'
import { parseAddress, type SpaceAddress } from './service/address.ts'
import { HttpSpace } from './service/http-space.ts'
import { findCredential } from './service/keys.ts'
import { rememberCommit } from './sync/base.ts'
import { listed, openSiteFolder, type SiteFolder } from './sync/site-folder.ts'
import type { Terminal } from './terminal.ts'

/** The file with the address of the space of a folder. */
export const SITE_FILE = 'space.json'

/** Finds the folder of a site: the current one or one above it. @throws {Failure} if there is none */
export const findSite = async ({ cwd }: Terminal): Promise<{ root: string; at: SpaceAddress | null }> => {
  for (let root = path.resolve(cwd); ; root = path.dirname(root)) {
    const text = await readFile(path.join(root, SITE_FILE), 'utf8').catch(() => null)
    if (text !== null) return { root, at: addressIn(text) }
    if (path.dirname(root) === root)
      throw new Failure(
        `This folder is not a site: it has no ${SITE_FILE}. Run space clone <address>, or space init.`,
      )
  }
}

const addressIn = (text: string): SpaceAddress | null => {
  let site: unknown
  try {
    site = JSON.parse(text.replace('\uFEFF', ''))
  } catch {
    throw new Failure(
      `${SITE_FILE} is not JSON; it must be like {"address": "https://example.com/admin/spaces/garden"}.`,
    )
  }
  const address = (site as { address?: unknown } | null)?.address ?? null
  if (address === null) return null
  if (typeof address !== 'string') throw new Failure(`"address" in ${SITE_FILE} must be text.`)
  return parseAddress(address)
}

/** Finds the site and its space. @throws {Failure} */
export const findLinkedSite = async (terminal: Terminal): Promise<{ root: string; at: SpaceAddress }> => {
  const { root, at } = await findSite(terminal)
  if (at === null)
    throw new Failure(
      'This site has no space yet; run space login with the address of the service, such as https://example.com.',
    )
  return { root, at }
}

/** Returns a space, with the key that is stored for it. @throws {Failure} if there is no key */
export const connect = async (terminal: Terminal, at: SpaceAddress): Promise<HttpSpace> => {
  const space = new HttpSpace(at, await findCredential(terminal.env, at, terminal.fetch), terminal.fetch)
  space.onProgress = terminal.progress
  return space
}

/** How long to wait for the version of the service, in ms. */
const PATIENCE = 10_000

/** Says when the service has another version than the command. Asks without the key, and does without an answer. */
export const compareVersions = async (
  { fetch, version, note }: Terminal,
  { root }: SpaceAddress,
): Promise<void> => {
  const signal = AbortSignal.timeout(PATIENCE)
  const answer = await fetch(`${root}/healthz/request`, { redirect: 'manual', signal })
    .then(response => response.json() as Promise<{ version?: unknown } | null>)
    .catch(() => null)
  const current = answer?.version
  if (typeof current !== 'string' || !/^[\w.+-]+$/.test(current) || current === version) return
  // The address with the version, because npx keeps what it once got from the other one.
  note(
    `This command has version ${version}, the service ${current}. To update it: npm install --global ${root}/space-site-${current}.tgz`,
  )
}

/**
 * Runs work on the site of the current folder and its space, as the only command there.
 *
 * @param base a commit of git, which the folder then remembers as its last sync
 * @throws {Failure}
 */
export const onSite = async <Result>(
  terminal: Terminal,
  work: (site: { open: () => Promise<SiteFolder>; space: HttpSpace; at: SpaceAddress }) => Promise<Result>,
  base?: string,
): Promise<Result> => {
  const { root, at } = await findLinkedSite(terminal)
  const space = await connect(terminal, at)
  const compared = compareVersions(terminal, at)
  const open = () => openSiteFolder(root, at.address, terminal.beforeStep)
  const disk = new Disk(root, terminal.beforeStep)
  try {
    return await alone(disk, async () => {
      const before = await readListing(disk, at.address)
      space.known = before
      if (base !== undefined) await rememberCommit(await open(), (await listed(space)).remote, base)
      const result = await work({ open, space, at })
      if (space.known && space.known.etag !== before?.etag) await writeListing(disk, at.address, space.known)
      return result
    })
  } finally {
    await compared
  }
}

/** @throws {Failure} if something is already at the path of a new folder */
export const requireNew = async (folder: string): Promise<void> => {
  const state = await stat(folder).catch(() => null)
  if (state) throw new Failure(`${folder} exists already; choose the name of a new folder.`, 2)
}
