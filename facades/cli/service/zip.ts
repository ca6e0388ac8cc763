import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { type Entry, fromBuffer, type ZipFile as Unzip } from 'yauzl'
import { ZipFile } from 'yazl'
import { rules } from '../../../routers/api/rules.ts'

/** The largest text of a space, in bytes: a character takes up to four. */
const MAX_TEXT = 4 * rules.page.html_max_length

/** Packs files into a zip archive. */
export const pack = async (files: Iterable<readonly [string, Uint8Array]>): Promise<Uint8Array> => {
  const zip = new ZipFile()
  for (const [path, bytes] of files) zip.addBuffer(Buffer.from(bytes), path)
  zip.end()
  return Buffer.concat((await (zip.outputStream as Readable).toArray()) as Buffer[])
}

/**
 * Unpacks the expected files of a zip archive; nothing else of it is decompressed.
 *
 * @param sizes the sizes of the files by path; undefined for texts, whose size is not known
 */
export const unpack = async (
  archive: Uint8Array,
  sizes: ReadonlyMap<string, number | undefined>,
): Promise<Map<string, Uint8Array>> => {
  const options = { lazyEntries: true, decodeStrings: false }
  const zip = await promisify<Buffer, object, Unzip>(fromBuffer)(Buffer.from(archive), options)
  const entries = await new Promise<Entry[]>((resolve, reject) => {
    const found: Entry[] = []
    zip.on('error', reject)
    zip.on('end', () => resolve(found))
    zip.on('entry', (entry: Entry) => {
      found.push(entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
  const openStream = promisify<Entry, Readable>(zip.openReadStream.bind(zip))
  const files = new Map<string, Uint8Array>()
  for (const entry of entries) {
    const path = entry.fileNameRaw.toString()
    // A size other than the listed one is that of a newer version, which is read again.
    const { uncompressedSize: size } = entry
    if (!sizes.has(path) || size !== (sizes.get(path) ?? Math.min(size, MAX_TEXT))) continue
    files.set(path, Buffer.concat((await (await openStream(entry)).toArray()) as Buffer[]))
  }
  return files
}
