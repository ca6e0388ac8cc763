import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
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

/**
 * Writes everything in a space, as it is at one moment, to a zip archive. It does not send the archive to the client
 * directly, because a slow client would keep the transaction open.
 *
 * @param file path of the archive, which is created
 */
export const exportSpace = (core: Core, space: SpaceRef, file: string): Promise<void> =>
  atOneMoment(core.orm, async sql => {
    const zip = new ZipFile()
    const written = pipeline(zip.outputStream, createWriteStream(file, { mode: 0o600 }))
    // Awaited below. Until then, an error must not count as an unhandled rejection.
    written.catch(() => {})
    const fail = (error: Error) => (zip.outputStream as Readable).destroy(error)
    zip.on('error', fail)
    try {
      await addContent(zip, sql, space, core)
    } catch (error) {
      // Without this, the file would stay open.
      fail(error as Error)
      throw error
    }
    zip.end()
    await written
  })

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

/** Adds a file whose content is read only when it is written. */
const addLazily = (zip: ZipFile, path: string, read: () => Promise<string | Uint8Array>): void => {
  async function* content() {
    yield Buffer.from((await read()) as string)
  }
  zip.addReadStreamLazy(path, {}, callback => {
    const stream = Readable.from(content())
    // The library does not listen for errors of streams, and an unhandled one would end the process.
    stream.on('error', error => zip.emit('error', error))
    callback(null, stream)
  })
}
