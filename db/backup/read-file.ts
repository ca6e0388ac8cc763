import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createZstdDecompress } from 'node:zlib'
import { OperatorError } from '../operator-error.ts'
import {
  CHECKSUM_LENGTH,
  checksumLine,
  FORMAT,
  FRAME,
  FRAME_HEAD,
  type Header,
  JsonFrame,
  MAGIC,
  MAX_PAYLOAD,
  type Manifest,
} from './format.ts'

/** Callbacks that receive the content of a backup while it is read. */
interface Visitor {
  onHeader?: (header: Header) => unknown
  /** Reads the data of one table and returns the number of rows that it found. */
  onTable?: (name: string, data: AsyncIterable<Buffer>) => Promise<number>
  /** Reports progress. `done` is the number of bytes of the file that were read so far. */
  onRead?: (done: number, total: number, table: string | undefined) => void
}

const damaged = (what: string) =>
  new OperatorError(`The backup is damaged: ${what}. Nothing was changed. Use another copy.`)

/**
 * Reads a backup and checks all of it: format, order, lengths, checksums and row counts.
 *
 * @throws OperatorError when the file is not a complete, undamaged backup of a known format, and any error that a
 * callback throws
 */
export const readBackupFile = async (
  file: string,
  { onHeader, onTable = countBytes, onRead }: Visitor = {},
): Promise<{ header: Header; manifest: Manifest }> => {
  const { firstLine, checksum, size } = await readLines(file)
  let table: string | undefined
  const hash = createHash('sha256').update(firstLine)
  const input = createReadStream(file, { start: firstLine.length, end: size - CHECKSUM_LENGTH - 1 })
  let done = firstLine.length
  input.on('data', chunk => {
    hash.update(chunk)
    done += chunk.length
    onRead?.(done, size, table)
  })
  const decompressed = createZstdDecompress()
  input.on('error', error => decompressed.destroy(error))
  const frames = framesOf(input.pipe(decompressed))

  const nextFrame = async () => {
    const { value, done } = await frames.next()
    if (done) throw damaged('it is incomplete')
    return value
  }
  const nextJson = async () => {
    const { type, payload } = await nextFrame()
    if (type !== FRAME.json) throw damaged('it has data outside a table')
    return parseJson(payload)
  }

  /** Yields the data frames up to the next JSON frame, which ends the table. */
  async function* dataOf(name: string, ends: { rows?: number }): AsyncGenerator<Buffer> {
    const hash = createHash('sha256')
    let bytes = 0
    for (;;) {
      const { type, payload } = await nextFrame()
      if (type === FRAME.data) {
        hash.update(payload)
        bytes += payload.length
        yield payload
        continue
      }
      const end = parseJson(payload)
      if (
        end.kind !== 'table_end' ||
        end.name !== name ||
        end.bytes !== bytes ||
        end.sha256 !== hash.digest('hex')
      )
        throw damaged(`the table ${name} does not match its checksum`)
      ends.rows = end.rows
      return
    }
  }

  try {
    const header = await nextJson()
    if (header.kind !== 'header') throw damaged('its header is missing')
    await onHeader?.(header)
    for (const { name } of header.tables) {
      const next = await nextJson()
      if (next.kind !== 'table' || next.name !== name) throw damaged(`the table ${name} is missing`)
      table = name
      const ends: { rows?: number } = {}
      const data = dataOf(name, ends)
      const rows = await onTable(name, data)
      // The callback may stop reading at the data's end marker. Make sure that nothing follows the marker.
      for await (const _rest of data) throw damaged(`the table ${name} has data after its end`)
      if (onTable !== countBytes && rows !== ends.rows)
        throw damaged(`the table ${name} has ${rows} rows instead of ${ends.rows}`)
    }
    const manifest = await nextJson()
    if (manifest.kind !== 'manifest') throw damaged('its manifest is missing')
    if (!(await frames.next()).done) throw damaged('there is data after its end')
    if (checksumLine(hash.digest('hex')) !== checksum) throw damaged('it does not match its checksum')
    onRead?.(size, size, undefined)
    return { header, manifest }
  } catch (error) {
    if (isDecompressionError(error)) throw damaged('it cannot be decompressed')
    throw error
  } finally {
    input.destroy()
    decompressed.destroy()
  }
}

/** Reads a table's data without using it, so that its checksum is verified. */
const countBytes = async (_name: string, data: AsyncIterable<Buffer>): Promise<number> => {
  let bytes = 0
  for await (const piece of data) bytes += piece.length
  return bytes
}

/** Reads the first and the last line; the compressed stream is between them. */
const readLines = async (file: string) => {
  try {
    await using handle = await open(file)
    const { size } = await handle.stat()
    const start = await textAt(handle, 0)
    const firstLine = /^space-site backup (\d{1,9})\n/.exec(start)
    if (!firstLine)
      throw MAGIC.startsWith(start.slice(0, MAGIC.length))
        ? damaged('it is incomplete')
        : new OperatorError(`${file} is not a backup of Space Site.`)
    if (Number(firstLine[1]) !== FORMAT)
      throw new OperatorError(
        `${file} has format ${firstLine[1]}; this version reads format ${FORMAT}. Restore it with the version that wrote it.`,
      )
    const checksum = await textAt(handle, Math.max(firstLine[0].length, size - CHECKSUM_LENGTH))
    if (!/^sha256 [0-9a-f]{64}\n$/.test(checksum)) throw damaged('it is incomplete')
    return { firstLine: firstLine[0], checksum, size }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`${file} can't be read: ${reason}`, { cause: error })
  }
}

/** Reads up to `CHECKSUM_LENGTH` bytes, the length of the last line. */
const textAt = async (handle: FileHandle, position: number): Promise<string> => {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHECKSUM_LENGTH), 0, CHECKSUM_LENGTH, position)
  return buffer.subarray(0, bytesRead).toString('latin1')
}

interface Frame {
  type: number
  payload: Buffer
}

/** Splits a stream into frames. */
async function* framesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame, undefined> {
  let pending: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    while (pending.length >= FRAME_HEAD) {
      const length = pending.readUInt32BE(1)
      if (length > MAX_PAYLOAD) throw damaged('a block in it has an invalid length')
      const end = FRAME_HEAD + length
      if (pending.length < end) break
      yield { type: pending.readUInt8(), payload: pending.subarray(FRAME_HEAD, end) }
      pending = pending.subarray(end)
    }
  }
  if (pending.length > 0) throw damaged('it is incomplete')
  return undefined
}

const parseJson = (payload: Buffer) => {
  try {
    return JsonFrame.parse(JSON.parse(payload.toString()))
  } catch {
    throw damaged('a JSON block in it is invalid')
  }
}

const isDecompressionError = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(ZSTD_|Z_|ERR_.*ZLIB)/.test(String(error.code))
