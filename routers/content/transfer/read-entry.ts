/** Reads the entries of an archive. */
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { JsonShape, MAX_DEPTH } from '../../core/json-shape.ts'
import { invalid } from '../../core/problem.ts'

/**
 * Yields the content of an entry and verifies its checksum. The library verifies only the size.
 *
 * @throws `validation_failed` when the content is damaged
 */
export async function* chunksOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let checksum = 0
  try {
    const stream = await promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entry)
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  } catch (error) {
    throw invalid(entry.fileName, `cannot be read: ${(error as Error).message}`)
  }
  if (checksum !== entry.crc32) throw invalid(entry.fileName, 'does not match its checksum')
}

/** Reads an entry completely. @throws `validation_failed` when it is damaged */
export const bytesOf = async (zip: ZipFile, entry: Entry): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of chunksOf(zip, entry)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads an entry as text. @throws `validation_failed` when it is damaged or not UTF-8 */
export const textOf = async (zip: ZipFile, entry: Entry): Promise<string> =>
  decoded(entry, await bytesOf(zip, entry))

const decoded = (entry: Entry, bytes: Buffer): string => {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw invalid(entry.fileName, 'must be UTF-8')
  }
}

/**
 * Reads and parses a JSON file. Measures the JSON while the entry is read: a few kilobytes of an archive can expand to
 * millions of values, and parsing those would block other requests for seconds.
 *
 * @param maxValues roughly how many values the file can have
 * @throws `validation_failed`
 */
export const jsonOf = async (zip: ZipFile, entry: Entry, maxValues: number): Promise<unknown> => {
  const shape = new JsonShape(Number.POSITIVE_INFINITY)
  const bytes = Buffer.alloc(entry.uncompressedSize)
  let size = 0
  for await (const chunk of chunksOf(zip, entry)) {
    const start = size
    size += chunk.copy(bytes, start)
    shape.read(bytes.subarray(0, size), start)
    if (shape.depth > MAX_DEPTH) throw invalid(entry.fileName, `is nested deeper than ${MAX_DEPTH} levels`)
    if (shape.values > maxValues) throw invalid(entry.fileName, `has more than ${maxValues} values`)
  }
  const text = decoded(entry, bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(entry.fileName, 'must be JSON')
  }
}
