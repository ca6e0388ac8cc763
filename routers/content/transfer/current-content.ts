import { hash } from 'node:crypto'
import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { MissingRowError } from '../../../db/locks.ts'
import { listDataWithSizes } from '../../../db/queries/data.ts'
import { removeSpaceIcon, setSpaceIcon } from '../../../db/queries/icons.ts'
import { readState, type Setting } from '../../../db/queries/items.ts'
import { listPages } from '../../../db/queries/pages.ts'
import { updateSpaceName } from '../../../db/queries/spaces.ts'
import {
  digestsOfPages,
  listFilesWithDigests,
  listFormerFileIds,
  listPartBodies,
} from '../../../db/queries/transfer.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import type { Archive } from './read-archive.ts'

/** What a space contains before an import, as far as the import needs it: without the bodies of pages. */
export interface CurrentContent {
  settings: Settings
  pages: Awaited<ReturnType<typeof listPages>>
  /** The SHA-256 of each page's body, by page id. Contains only the pages that were asked for. */
  digests: Map<string, Buffer>
  parts: Awaited<ReturnType<typeof listPartBodies>>
  records: Awaited<ReturnType<typeof listDataWithSizes>>
  files: Awaited<ReturnType<typeof listFilesWithDigests>>
  /** Those of the file ids that belong to a file of the space, or to a deleted file of the space. */
  formerFileIds: Set<string>
}

/** Maximum number of pages whose digests one statement computes. */
const SLICE = 200

/** What to read besides the lists of a space. */
export interface Wanted {
  /** Slugs of the pages whose digests are computed. */
  slugs: ReadonlySet<string> | 'all'
  /** The file ids to look for among the files that the space has or had. */
  fileIds: readonly string[]
}

/** What the import of an archive has to know about a space. */
export const wantedFor = ({ pages, files }: Pick<Archive, 'pages' | 'files'>): Wanted => ({
  slugs: new Set(pages.map(({ slug }) => slug)),
  fileIds: files.flatMap(({ id }) => id ?? []),
})

/**
 * Reads the content of a space. All queries must see the same snapshot of the database.
 *
 * @param known an earlier state of the space, from which the digests of unchanged pages are taken
 * @throws MissingRowError when the space was deleted
 */
export const readCurrentContent = async (
  sql: Sql,
  spaceId: string,
  { slugs, fileIds }: Wanted,
  known?: CurrentContent,
): Promise<CurrentContent> => {
  const settings = await readSettings(sql, spaceId)
  const pages = await listPages(sql, spaceId)
  return {
    settings,
    pages,
    digests: await digestsOf(sql, spaceId, pages, slugs, known),
    parts: await listPartBodies(sql, spaceId),
    records: await listDataWithSizes(sql, spaceId),
    files: await listFilesWithDigests(sql, spaceId),
    formerFileIds: new Set(fileIds.length > 0 ? await listFormerFileIds(sql, spaceId, fileIds) : []),
  }
}

const digestsOf = async (
  sql: Sql,
  spaceId: string,
  pages: CurrentContent['pages'],
  slugs: Wanted['slugs'],
  known: CurrentContent | undefined,
): Promise<Map<string, Buffer>> => {
  const versions = new Map(known?.pages.map(({ id, updated_at }) => [id, updated_at.getTime()]))
  const digests = new Map<string, Buffer>()
  const changed: string[] = []
  for (const { id, slug, updated_at } of pages) {
    if (slugs !== 'all' && !slugs.has(slug)) continue
    const digest = versions.get(id) === updated_at.getTime() ? known?.digests.get(id) : undefined
    if (digest) digests.set(id, digest)
    else changed.push(id)
  }
  for (let from = 0; from < changed.length; from += SLICE)
    for (const [id, digest] of await digestsOfPages(sql, spaceId, changed.slice(from, from + SLICE)))
      digests.set(id, digest)
  return digests
}

/** The settings of a space that an archive contains. */
export interface Settings {
  name: string
  /** SHA-256 of the icon; null if the space has none. */
  icon: Buffer | null
}

/**
 * What an import does to one setting. `before` is undefined if the setting was not set before the import. `after` is
 * undefined if the import removes the setting.
 */
export interface SettingStep {
  setting: Setting
  before: string | undefined
  /** The new name, or the SHA-256 of the new icon in base64. */
  after: string | undefined
  /** Changes the setting. */
  apply: (write: SpaceWrite) => Promise<unknown>
}

/** @throws MissingRowError when the space was deleted */
export const readSettings = async (sql: Sql, spaceId: string): Promise<Settings> => {
  const name = await readState(sql, spaceId, 'space', 'name')
  if (!name) throw new MissingRowError('spaces')
  const icon = await readState(sql, spaceId, 'space', 'icon')
  return { name: (name.fields.name as string | undefined) ?? '', icon: icon?.digest ?? null }
}

/**
 * Compares the settings in an archive with the settings of a space.
 *
 * @param deleteMissing whether the icon is removed if the exported space had none
 */
export const planSettings = (
  current: Settings,
  { name, icon }: Pick<Archive, 'name' | 'icon'>,
  deleteMissing: boolean,
): SettingStep[] => {
  const steps: SettingStep[] = []
  if (name !== undefined && name !== current.name)
    steps.push({
      setting: 'name',
      before: current.name,
      after: name,
      apply: write => updateSpaceName(write, name),
    })
  const digest = icon ? hash('sha256', icon.png, 'buffer') : null
  const isSame = [icon?.digest, digest].some(one => one && current.icon?.equals(one))
  const before = current.icon?.toString('base64')
  if (icon && digest && !isSame)
    steps.push({
      setting: 'icon',
      before,
      after: digest.toString('base64'),
      apply: write => setSpaceIcon(write, { id: newId(), png: icon.png }),
    })
  if (icon === null && deleteMissing && current.icon)
    steps.push({ setting: 'icon', before, after: undefined, apply: removeSpaceIcon })
  return steps
}
