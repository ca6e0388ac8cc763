import { createReadStream } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rules } from '../../../routers/api/rules.ts'

type Bytes = string | URL | Blob | Uint8Array | AsyncIterable<Uint8Array>

/**
 * Reads a file to upload.
 *
 * @param source a path, the URL of a file, bytes, a `Blob`, or a stream
 * @param name by default the name of the file
 * @throws if the file is larger than the service accepts, as soon as that is known
 */
export const fileFrom = async (source: Bytes, name = nameOf(source)) => {
  if (name === undefined) throw new TypeError('fileFrom needs a name, because the source has none')
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of partsOf(source)) {
    size += part.length
    if (size > rules.file.max_bytes)
      throw new RangeError(`${name} is larger than ${rules.file.max_bytes} bytes, the maximum for a file`)
    parts.push(part)
  }
  return { name, content: Buffer.concat(parts).toString('base64'), encoding: 'base64' as const }
}

const nameOf = (source: Bytes): string | undefined => {
  if (typeof source === 'string') return path.basename(source)
  if (source instanceof URL) return path.basename(fileURLToPath(source))
  // Node.js 18 has no global `File`.
  return 'name' in source && typeof source.name === 'string' ? source.name : undefined
}

const partsOf = (source: Bytes): AsyncIterable<Uint8Array> | Iterable<Uint8Array> => {
  if (typeof source === 'string' || source instanceof URL) return createReadStream(source)
  if (source instanceof Uint8Array) return [source]
  return source instanceof Blob ? source.stream() : source
}
