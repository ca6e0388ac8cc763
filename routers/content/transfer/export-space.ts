import type { ZipFile } from 'yazl'
import { bytesOf } from '../../../db/file-store/content.ts'
import { atOneMoment } from '../../../db/one-moment.ts'
import type { Sql } from '../../../db/orm.ts'
import { listData } from '../../../db/queries/data.ts'
import { findStoredBytes } from '../../../db/queries/files.ts'
import { findSpaceIcon } from '../../../db/queries/icons.ts'
import { findPage, listPages } from '../../../db/queries/pages.ts'
import { findPart, listParts } from '../../../db/queries/parts.ts'
import { listFilesWithDigests } from '../../../db/queries/transfer.ts'
import type { SpaceRef } from '../../core/actor.ts'
import type { Core } from '../../core/context.ts'
import { FORMAT, filePath, ICON, MANIFEST, type Manifest, VERSION } from './archive-format.ts'
import { readSettings } from './settings.ts'
import { addLazily, writeZip } from './write-zip.ts'

/**
 * Writes everything in a space, as it is at one moment, to a zip archive.
 *
 * @param file path of the archive, which is created
 * @param signal aborts when the caller has closed the connection
 */
export const exportSpace = (
  core: Core,
  space: SpaceRef,
  file: string,
  signal: AbortSignal | undefined,
): Promise<void> =>
  atOneMoment(core.orm, sql => writeZip(file, signal, zip => addContent(zip, sql, space, core)))

const addContent = async (
  zip: ZipFile,
  sql: Sql,
  space: SpaceRef,
  { addresses, fileStore }: Core,
): Promise<void> => {
  const settings = await readSettings(sql, space.id)
  const icon = await findSpaceIcon(sql, space.id)
  const manifest: Manifest = {
    format: FORMAT,
    version: VERSION,
    exported_at: new Date().toISOString(),
    space: { subdomain: space.subdomain, name: settings.name, has_icon: icon !== undefined },
    files_domain: addresses.filesDomain,
    pages: {},
    data: {},
    files: {},
  }
  for (const { id, slug, kind, created_at, updated_at } of await listPages(sql, space.id)) {
    manifest.pages[slug] = {
      kind,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    }
    addLazily(zip, `pages/${slug}.liquid`, async () => (await findPage(sql, space.id, id))!.html)
  }
  for (const { id, name } of await listParts(sql, space.id))
    addLazily(zip, `parts/${name}.liquid`, async () => (await findPart(sql, space.id, id))!.html)
  for (const { key, value, description } of await listData(sql, space.id)) {
    if (description !== null) manifest.data[key] = { description }
    zip.addBuffer(Buffer.from(value), `data/${key}.json`)
  }
  for (const { id, name, digest } of await listFilesWithDigests(sql, space.id)) {
    const path = filePath(id, name)
    if (!path.endsWith(`/${name}`)) manifest.files[path] = { name }
    addLazily(zip, path, async () =>
      bytesOf(fileStore, space.id, digest, (await findStoredBytes(sql, space.id, digest))!),
    )
  }
  if (icon) zip.addBuffer(Buffer.from(icon.png), ICON, { compress: false })
  zip.addBuffer(Buffer.from(JSON.stringify(manifest, null, 2)), MANIFEST)
}
