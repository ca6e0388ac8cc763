import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Options, ZipFile } from 'yazl'
import type { Sql } from '../../../db/database.ts'
import { bytesOf } from '../../../db/file-store/content.ts'
import { listData } from '../../../db/queries/data.ts'
import { findStoredBytes } from '../../../db/queries/files.ts'
import { findSpaceIcon } from '../../../db/queries/icons.ts'
import { findPage, listPages } from '../../../db/queries/pages.ts'
import { findPart, listParts } from '../../../db/queries/parts.ts'
import { listFilesWithDigests } from '../../../db/queries/transfer.ts'
import { atOneMoment } from '../../../db/transaction.ts'
import type { SpaceRef } from '../../api/actor.ts'
import type { Core } from '../../api/context.ts'
import { Problem } from '../../api/problem.ts'
import { FORMAT, filePath, folded, ICON, MANIFEST, type Manifest, VERSION } from './archive-format.ts'
import { readCurrentContent, readSettings } from './current-content.ts'
import { callerGone, requireCaller } from './entries.ts'
import { type Place, placesOf } from './listing.ts'
import { portableName } from './portable-names.ts'

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
  atOneMoment(core.database, sql => writeZip(file, signal, zip => addContent(zip, sql, space, core)))

const addContent = async (
  zip: ZipFile,
  sql: Sql,
  space: SpaceRef,
  { addresses, fileStore }: Core,
): Promise<void> => {
  const { name } = await readSettings(sql, space.id)
  const icon = await findSpaceIcon(sql, space.id)
  const manifest: Manifest = {
    format: FORMAT,
    version: VERSION,
    exported_at: new Date().toISOString(),
    space: { subdomain: space.subdomain, name, has_icon: icon !== undefined },
    files_domain: addresses.filesDomain,
    pages: {},
    data: {},
    files: {},
  }
  for (const { id, slug, created_at, updated_at, ...settings } of await listPages(sql, space.id)) {
    manifest.pages[slug] = {
      ...settings,
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

/**
 * Writes some files of a space, as they are at one moment, to a zip archive without folders.
 *
 * @param file path of the archive, which is created
 * @param signal aborts when the caller has closed the connection
 * @throws `file_not_found` if one of the files does not exist
 */
export const exportFiles = (
  { database, fileStore }: Core,
  spaceId: string,
  ids: readonly string[],
  file: string,
  signal: AbortSignal | undefined,
): Promise<void> =>
  atOneMoment(database, async sql => {
    const wanted = new Set(ids)
    const files = (await listFilesWithDigests(sql, spaceId)).filter(({ id }) => wanted.has(id))
    if (files.length < wanted.size)
      throw new Problem('file_not_found', { detail: 'One or more of these files have been deleted.' })
    const names = distinctNames(files.map(({ name }) => name))
    await writeZip(file, signal, async zip => {
      for (const [index, { digest, updated_at }] of files.entries())
        addLazily(
          zip,
          names[index]!,
          async () => bytesOf(fileStore, spaceId, digest, (await findStoredBytes(sql, spaceId, digest))!),
          { mtime: updated_at },
        )
    })
  })

/**
 * Writes some items of a space, as they are at one moment, to a zip archive. Leaves out the paths that the space does not
 * have.
 *
 * @param file path of the archive, which is created
 * @param signal aborts when the caller has closed the connection
 */
export const exportItems = (
  { database, fileStore }: Core,
  spaceId: string,
  paths: readonly string[],
  file: string,
  signal: AbortSignal | undefined,
): Promise<void> =>
  atOneMoment(database, async sql => {
    const wanted = new Set(paths)
    const content = await readCurrentContent(sql, spaceId, { slugs: new Set(), fileIds: [] })
    const read = async (place: Place): Promise<string | Uint8Array> => {
      switch (place.kind) {
        case 'page':
          return (await findPage(sql, spaceId, place.item.id))!.html
        case 'part':
          return place.item.html
        case 'record':
          return place.item.value
        case 'icon':
          return (await findSpaceIcon(sql, spaceId))!.png
        case 'file': {
          const { digest } = place.item
          return bytesOf(fileStore, spaceId, digest, (await findStoredBytes(sql, spaceId, digest))!)
        }
      }
    }
    await writeZip(file, signal, async zip => {
      for (const place of placesOf(content))
        if (wanted.has(place.path)) addLazily(zip, place.path, () => read(place))
    })
  })

/**
 * Returns names for the files of one folder. All operating systems allow the returned names. No two names are equal,
 * even if letter case is ignored: the second `photo.png` becomes `photo-2.png`.
 */
export const distinctNames = (names: readonly string[]): string[] => {
  const portable = names.map(portableName)
  // A name that gets a number must not equal the name of another file.
  const taken = new Set(portable.map(folded))
  const used = new Set<string>()
  /** The last number tried for each name. Starting again would take quadratic time for many equal names. */
  const numbers = new Map<string, number>()
  return portable.map(name => {
    const key = folded(name)
    if (!used.has(key)) {
      used.add(key)
      return name
    }
    const [, stem = name, extension = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? []
    let number = numbers.get(key) ?? 1
    let distinct: string
    do {
      number += 1
      distinct = `${stem}-${number}${extension}`
    } while (taken.has(folded(distinct)))
    numbers.set(key, number)
    taken.add(folded(distinct))
    return distinct
  })
}

/**
 * Writes a zip archive to a file. Sending it directly would let a slow client hold open the transaction that reads the
 * content.
 *
 * @param file path of the archive, which is created
 * @param signal aborts when the caller has closed the connection
 * @param add adds the content
 * @throws `unavailable` after an abort, and what `add` throws
 */
export const writeZip = async (
  file: string,
  signal: AbortSignal | undefined,
  add: (zip: ZipFile) => Promise<void>,
): Promise<void> => {
  const zip = new ZipFile()
  const written = pipeline(zip.outputStream, createWriteStream(file, { mode: 0o600 }))
  // Awaited below. Until then, an error must not count as an unhandled rejection.
  written.catch(() => {})
  const fail = (error: Error) => (zip.outputStream as Readable).destroy(error)
  zip.on('error', fail)
  signal?.addEventListener('abort', () => fail(callerGone()))
  try {
    requireCaller(signal)
    await add(zip)
  } catch (error) {
    // Without this, the file would stay open.
    fail(error as Error)
    throw error
  }
  zip.end()
  await written
}

/** Adds a file. `read` returns the content, and is called only when it is the file's turn to be written. */
export const addLazily = (
  zip: ZipFile,
  path: string,
  read: () => Promise<string | Uint8Array>,
  options: Partial<Options> = {},
): void => {
  async function* content() {
    // The library goes on with the next file after a failure, but then the transaction that `read` uses may have ended.
    if ((zip.outputStream as Readable).destroyed) throw new Error('Writing the archive has failed')
    yield Buffer.from((await read()) as string)
  }
  zip.addReadStreamLazy(path, options, callback => {
    const stream = Readable.from(content())
    // The library does not listen for errors of streams, and an unhandled one would end the process.
    stream.on('error', error => zip.emit('error', error))
    callback(null, stream)
  })
}
