import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { JsonShape, MAX_DEPTH } from '../../core/json-shape.ts'
import { invalid, unavailable } from '../../core/problem.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Removes a byte order mark, which Windows programs write before JSON. */
const JSON_TEXT = new TextDecoder('utf-8', { fatal: true })

/** A file in a zip archive. Each method reads it again. */
export class ArchiveEntry {
  readonly path: string
  readonly #zip: ZipFile
  readonly #entry: Entry
  readonly #signal: AbortSignal | undefined

  /** @param signal aborts when the caller has closed the connection; reading then fails with `unavailable` */
  constructor(zip: ZipFile, entry: Entry, path: string, signal: AbortSignal | undefined) {
    this.path = path
    this.#zip = zip
    this.#entry = entry
    this.#signal = signal
  }

  /** Size of the content in bytes, as the archive declares it. Reading fails if this is wrong. */
  get size(): number {
    return this.#entry.uncompressedSize
  }

  /**
   * Yields the content and verifies its checksum. The library verifies only the size.
   *
   * @throws `validation_failed` when the content is damaged
   */
  async *chunks(): AsyncGenerator<Buffer> {
    requireCaller(this.#signal)
    let checksum = 0
    try {
      const stream = await promisify<Entry, Readable>(this.#zip.openReadStream.bind(this.#zip))(this.#entry)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        checksum = crc32(chunk, checksum)
        yield chunk
      }
    } catch {
      throw invalid(this.path, 'is damaged')
    }
    if (checksum !== this.#entry.crc32) throw invalid(this.path, 'does not match its checksum')
  }

  /** Reads the whole content. @throws `validation_failed` when it is damaged */
  async bytes(): Promise<Buffer> {
    const bytes = Buffer.alloc(this.size)
    let size = 0
    for await (const chunk of this.chunks()) size += chunk.copy(bytes, size)
    return bytes
  }

  /** Reads the content as text. @throws `validation_failed` when it is damaged or not UTF-8 */
  async text(): Promise<string> {
    return this.#decoded(await this.bytes(), UTF8)
  }

  #decoded(bytes: Buffer, decoder: InstanceType<typeof TextDecoder>): string {
    try {
      return decoder.decode(bytes)
    } catch {
      throw invalid(this.path, 'must be UTF-8')
    }
  }

  /**
   * Reads and parses JSON. Measures the JSON while it is read: a few kilobytes of an archive can expand to millions of
   * values, and parsing those would block other requests for seconds.
   *
   * @param maxValues roughly how many values the file can have
   * @throws `validation_failed`
   */
  async json(maxValues: number): Promise<unknown> {
    const shape = new JsonShape(Number.POSITIVE_INFINITY)
    const bytes = Buffer.alloc(this.size)
    let size = 0
    for await (const chunk of this.chunks()) {
      const start = size
      size += chunk.copy(bytes, start)
      shape.read(bytes.subarray(0, size), start)
      if (shape.depth > MAX_DEPTH) throw invalid(this.path, `is nested deeper than ${MAX_DEPTH} levels`)
      if (shape.values > maxValues) throw invalid(this.path, `has more than ${maxValues} values`)
    }
    const text = this.#decoded(bytes, JSON_TEXT)
    try {
      return JSON.parse(text)
    } catch {
      throw invalid(this.path, 'must be JSON')
    }
  }
}

/** The error that ends work whose result nobody would receive. */
export const callerGone = () => unavailable('The caller has closed the connection.')

/** @throws `unavailable` once the caller has closed the connection */
export const requireCaller = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw callerGone()
}
