import { hash } from 'node:crypto'
import { z } from 'zod'
import { MissingRowError } from '../../../db/locks.ts'
import { digestOfBody } from '../../../db/queries/items.ts'
import { findListedSpace } from '../../../db/queries/transfer.ts'
import { atOneMoment } from '../../../db/transaction.ts'
import type { Core } from '../../api/context.ts'
import { ICON, shortFilePaths } from './archive-format.ts'
import { type CurrentContent, readCurrentContent } from './current-content.ts'

/** One item of a space, as a file in a folder. */
export const ListedItem = z.object({
  /** The path in an archive, except that a file is in `files` itself if no other file has its name. */
  path: z.string(),
  /** Identifies the content and the settings of the item: if one of them changes, the version does. */
  version: z.string(),
  /** SHA-256 of the content, in hexadecimal. */
  digest: z.string(),
  /** What the manifest of an archive says about the item. */
  settings: z.record(z.string(), z.unknown()),
  /** The size of a file in bytes. */
  size: z.int().optional(),
})

export type ListedItem = z.output<typeof ListedItem>

/** Everything in a space, without the contents. */
export const Listing = z.object({
  subdomain: z.string(),
  name: z.string(),
  /** The address of the site. */
  address: z.string(),
  /** The domain of the addresses of files, with its port. */
  files_domain: z.string(),
  /** Identifies the state of the space. */
  revision: z.string(),
  items: z.array(ListedItem),
  /** The icon of the space; null if it has none. Apart from the items, because programs of version 1.0.0 know no icon. */
  icon: ListedItem.nullable(),
})

export type Listing = z.output<typeof Listing>

/** An item of a space, and its path in a folder. */
export type Place = { path: string } & (
  | { kind: 'page'; item: CurrentContent['pages'][number] }
  | { kind: 'part'; item: CurrentContent['parts'][number] }
  | { kind: 'record'; item: CurrentContent['records'][number] }
  | { kind: 'file'; item: CurrentContent['files'][number] }
  | { kind: 'icon'; item: { digest: Buffer } }
)

/** The items of a space with their paths. */
export const placesOf = ({ settings: { icon }, pages, parts, records, files }: CurrentContent): Place[] => {
  const paths = shortFilePaths(files)
  return [
    ...pages.map(item => ({ kind: 'page', path: `pages/${item.slug}.liquid`, item }) as const),
    ...parts.map(item => ({ kind: 'part', path: `parts/${item.name}.liquid`, item }) as const),
    ...records.map(item => ({ kind: 'record', path: `data/${item.key}.json`, item }) as const),
    ...files.map(item => ({ kind: 'file', path: paths.get(item.id)!, item }) as const),
    ...(icon ? [{ kind: 'icon', path: ICON, item: { digest: icon } } as const] : []),
  ]
}

/** @param digests the digests of the bodies of pages, by the id of the page */
export const listedItem = (place: Place, digests: CurrentContent['digests']): ListedItem => {
  const { path } = place
  const digest = Buffer.from(digestOf(place, digests)).toString('hex')
  const settings = settingsOf(place)
  // A file that replaces another under the same path is another version, even with the same bytes.
  const identity = place.kind === 'file' ? place.item.id : null
  const version = hash('sha256', JSON.stringify([digest, settings, identity]), 'base64url')
  const size = place.kind === 'file' ? { size: place.item.size } : {}
  return { path, version, digest, settings, ...size }
}

const digestOf = (place: Place, digests: CurrentContent['digests']): Uint8Array => {
  switch (place.kind) {
    case 'page':
      return digests.get(place.item.id)!
    case 'part':
      return digestOfBody(place.item.html)
    case 'record':
      return digestOfBody(place.item.value)
    case 'file':
    case 'icon':
      return place.item.digest
  }
}

const settingsOf = (place: Place): ListedItem['settings'] => {
  switch (place.kind) {
    case 'page': {
      const { id: _id, slug: _slug, created_at: _created, updated_at: _updated, ...settings } = place.item
      return settings
    }
    case 'part':
    case 'icon':
      return {}
    case 'record':
      return { description: place.item.description }
    case 'file':
      return place.path.endsWith(`/${place.item.name}`) ? {} : { name: place.item.name }
  }
}

/** The listing of a space, and a tag that is another one whenever the listing is. */
export const TaggedListing = z.object({
  tag: z.string(),
  revision: z.string(),
  /** Null if the caller has it. */
  listing: Listing.nullable(),
})

/**
 * Lists everything in a space, as it is at one moment.
 *
 * @param known the tag of the listing that the caller has
 * @throws MissingRowError when the space was deleted
 */
export const listSpace = (
  { database, addresses }: Core,
  spaceId: string,
  known: string | undefined,
): Promise<z.output<typeof TaggedListing>> =>
  atOneMoment(database, async sql => {
    const space = await findListedSpace(sql, spaceId)
    if (!space) throw new MissingRowError('spaces')
    const { revision, name, subdomain } = space
    const about = {
      subdomain,
      name,
      address: `${addresses.mainSite(space)}/`,
      files_domain: addresses.filesDomain,
    }
    // The addresses can change without a new revision. The listings of version 1.0.0 have other fields.
    const state = hash('sha256', JSON.stringify([about, 'icon']), 'base64url')
    const tag = `${revision}-${state.slice(0, 8)}`
    if (tag === known) return { tag, revision, listing: null }
    const content = await readCurrentContent(sql, spaceId, { slugs: 'all', fileIds: [] })
    const items = placesOf(content).map(place => listedItem(place, content.digests))
    const icon = items.find(({ path }) => path === ICON) ?? null
    return {
      tag,
      revision,
      listing: { ...about, revision, items: items.filter(item => item !== icon), icon },
    }
  })
