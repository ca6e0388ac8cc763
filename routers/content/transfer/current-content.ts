import type { Sql } from '../../../db/orm.ts'
import { listDataWithSizes } from '../../../db/queries/data.ts'
import { listPages } from '../../../db/queries/pages.ts'
import {
  digestsOfPages,
  listFilesWithDigests,
  listFormerFileIds,
  listPartBodies,
} from '../../../db/queries/transfer.ts'
import type { Archive } from './read-archive.ts'
import { readSettings, type Settings } from './settings.ts'

/** What a space contains before an import, as far as the import needs it: without the bodies of pages. */
export interface CurrentContent {
  settings: Settings
  pages: Awaited<ReturnType<typeof listPages>>
  /** The SHA-256 of each page's body, by page id. Contains only the pages whose slugs are in the archive. */
  digests: Map<string, Buffer>
  parts: Awaited<ReturnType<typeof listPartBodies>>
  records: Awaited<ReturnType<typeof listDataWithSizes>>
  files: Awaited<ReturnType<typeof listFilesWithDigests>>
  /** Those file ids in the archive that belong to a file of the space, or to a deleted file of the space. */
  formerFileIds: Set<string>
}

/** Maximum number of pages whose digests one statement computes. */
const SLICE = 200

/**
 * Reads the content of a space. All queries must see the same snapshot of the database.
 *
 * @param known an earlier state of the space, from which the digests of unchanged pages are taken
 * @throws MissingRowError when the space was deleted
 */
export const readCurrentContent = async (
  sql: Sql,
  spaceId: string,
  archive: Archive,
  known?: CurrentContent,
): Promise<CurrentContent> => {
  const settings = await readSettings(sql, spaceId)
  const pages = await listPages(sql, spaceId)
  const ids = archive.files.flatMap(({ id }) => id ?? [])
  return {
    settings,
    pages,
    digests: await digestsOf(sql, spaceId, pages, archive, known),
    parts: await listPartBodies(sql, spaceId),
    records: await listDataWithSizes(sql, spaceId),
    files: await listFilesWithDigests(sql, spaceId),
    formerFileIds: new Set(await listFormerFileIds(sql, spaceId, ids)),
  }
}

const digestsOf = async (
  sql: Sql,
  spaceId: string,
  pages: CurrentContent['pages'],
  archive: Archive,
  known: CurrentContent | undefined,
): Promise<Map<string, Buffer>> => {
  const slugs = new Set(archive.pages.map(({ slug }) => slug))
  const versions = new Map(known?.pages.map(({ id, updated_at }) => [id, updated_at.getTime()]))
  const digests = new Map<string, Buffer>()
  const changed: string[] = []
  for (const { id, slug, updated_at } of pages) {
    if (!slugs.has(slug)) continue
    const digest = versions.get(id) === updated_at.getTime() ? known?.digests.get(id) : undefined
    if (digest) digests.set(id, digest)
    else changed.push(id)
  }
  for (let from = 0; from < changed.length; from += SLICE)
    for (const [id, digest] of await digestsOfPages(sql, spaceId, changed.slice(from, from + SLICE)))
      digests.set(id, digest)
  return digests
}
