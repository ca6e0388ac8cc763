import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { type Entry, fromBuffer, type ZipFile as Unzip } from 'yauzl'
import { type Options, ZipFile } from 'yazl'

/** A file for an archive. `options.mode` sets its file mode, which can mark it as a symbolic link. */
export interface Packed {
  path: string
  content: string | Buffer
  options?: Partial<Options>
}

const MANIFEST = JSON.stringify({ format: 'space-site-space', version: 1 })

/** Creates a zip archive, and adds a manifest unless the files include one. */
export const pack = async (...files: Packed[]): Promise<Buffer> => {
  const zip = new ZipFile()
  if (!files.some(({ path }) => path === 'manifest.json'))
    files.push({ path: 'manifest.json', content: MANIFEST })
  for (const { path, content, options } of files) zip.addBuffer(Buffer.from(content as string), path, options)
  zip.end()
  return Buffer.concat(await (zip.outputStream as NodeJS.ReadStream).toArray())
}

/** Replaces a string in an archive with one of the same length, to create archives that libraries refuse to write. */
export const patched = (archive: Buffer, from: string, to: string): Buffer => {
  if (from.length !== to.length) throw new Error('The archive would be damaged')
  return Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1')
}

/** Changes a number in the first entry of the central directory. @param offset of the number in the entry */
export const withNumber = (archive: Buffer, offset: number, value: number): Buffer => {
  const copy = Buffer.from(archive)
  copy.writeUInt16LE(value, copy.indexOf('PK\x01\x02', 0, 'latin1') + offset)
  return copy
}

/** Returns the content of each file in an archive. */
export const unpack = async (archive: Buffer): Promise<Map<string, Buffer>> => {
  const zip = await promisify<Buffer, object, Unzip>(fromBuffer)(archive, { lazyEntries: true })
  const files = new Map<string, Buffer>()
  const openStream = promisify<Entry, Readable>(zip.openReadStream.bind(zip))
  const end = once(zip, 'end')
  const next = async () => {
    const found = Promise.race([once(zip, 'entry'), end])
    zip.readEntry()
    return (await found)[0] as Entry | undefined
  }
  for (let entry = await next(); entry; entry = await next())
    files.set(entry.fileName, Buffer.concat((await (await openStream(entry)).toArray()) as Buffer[]))
  return files
}
