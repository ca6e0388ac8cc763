import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { DatabaseError } from 'pg'
import { codeOf } from '../embedded/error.ts'
import { OperatorError } from '../operator-error.ts'
import {
  checksumLine,
  FORMAT,
  FRAME,
  FRAME_HEAD,
  type Header,
  MAGIC,
  MAX_PAYLOAD,
  type Manifest,
} from './format.ts'

/** The data of one table: yields the output of `COPY`, and returns the number of rows. */
export type TableData = AsyncGenerator<Buffer, number>

/** Suffix of the names of unfinished backups. */
export const UNFINISHED = '.unfinished'

/** The content of a backup. */
export interface Content {
  header: Omit<Header, 'kind'>
  dataOf: (table: string) => TableData
  /** Called after the data of all tables has been written. */
  sequences: () => Promise<Manifest['sequences']>
}

/**
 * Writes a backup to a temporary file beside `file`, checks it, and then renames it to `file`. Only the owner of
 * the file can access it.
 *
 * @param signal stops the backup
 * @param check reads the temporary file; throws if its content is not what was written
 * @throws OperatorError when `file` exists or cannot be written
 */
export const writeBackupFile = async (
  file: string,
  content: Content,
  check: (temporary: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> => {
  if (await exists(file))
    throw new OperatorError(`${file} exists already. Choose another name, or delete it first.`)
  const temporary = `${file}.${process.pid}${UNFINISHED}`
  try {
    await rm(temporary, { force: true })
    const output = createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true })
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    await pipeline(Readable.from(frames(content)), compress, withLines, output, { signal })
    await check(temporary)
    await rename(temporary, file)
    await sync(path.dirname(file))
  } catch (error) {
    await rm(temporary, { force: true })
    throw codeOf(error) === undefined || error instanceof DatabaseError
      ? error
      : new OperatorError(`${file} can't be written: ${String(error)}`, { cause: error })
  }
}

/** Adds the first and the last line. */
async function* withLines(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const first = Buffer.from(`${MAGIC}${FORMAT}\n`)
  hash.update(first)
  yield first
  for await (const chunk of compressed) {
    hash.update(chunk)
    yield chunk
  }
  yield Buffer.from(checksumLine(hash.digest('hex')))
}

/** Yields every frame of a backup. */
async function* frames({ header, dataOf, sequences }: Content): AsyncGenerator<Buffer> {
  const tables: Manifest['tables'] = []
  yield jsonFrame({ kind: 'header', ...header })
  for (const { name } of header.tables) {
    yield jsonFrame({ kind: 'table', name })
    const hash = createHash('sha256')
    let bytes = 0
    const data = dataOf(name)
    let next = await data.next()
    for (; !next.done; next = await data.next())
      for (let at = 0; at < next.value.length; at += MAX_PAYLOAD) {
        const piece = next.value.subarray(at, at + MAX_PAYLOAD)
        bytes += piece.length
        hash.update(piece)
        yield frame(FRAME.data, piece)
      }
    const end = { name, rows: next.value, bytes, sha256: hash.digest('hex') }
    tables.push(end)
    yield jsonFrame({ kind: 'table_end', ...end })
  }
  yield jsonFrame({ kind: 'manifest', tables, sequences: await sequences() })
}

const frame = (type: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(FRAME_HEAD)
  head.writeUInt8(type)
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}

const jsonFrame = (value: object) => frame(FRAME.json, Buffer.from(JSON.stringify(value)))

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/** Syncs a folder, so that the names of its files survive a crash of the machine. */
const sync = async (folder: string): Promise<void> => {
  await using handle = await open(folder)
  await handle.sync()
}
