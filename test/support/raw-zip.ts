import { crc32, deflateRawSync } from 'node:zlib'

/** A file for an archive, with everything that programs write differently. */
export interface RawFile {
  /** The path; as bytes if it is not UTF-8. */
  name: string | Buffer
  content: Buffer
  /** The flags of the entry; by default, the flag that says that the name is UTF-8. */
  flags?: number
  /** Additional fields of the entry. */
  extra?: Buffer
}

/** The flag that says that a name is UTF-8. */
const IS_UTF8 = 0x800
const DEFLATED = 8

/** Writes a zip archive exactly as given, which libraries refuse to do. */
export const rawZip = (files: readonly RawFile[]): Buffer => {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, flags = IS_UTF8, extra = Buffer.alloc(0) } of files) {
    const path = Buffer.from(name as string)
    const compressed = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(DEFLATED, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(compressed.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(path.length, 22)
    fields.writeUInt16LE(extra.length, 24)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), fields, path, extra, compressed])
    bodies.push(body)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), fields, place, path, extra)
    offset += body.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  for (const at of [8, 10]) end.writeUInt16LE(files.length, at)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, list, end])
}
