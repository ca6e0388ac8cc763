import { statfs } from 'node:fs/promises'
import { unavailable } from '../../routers/api/problem.ts'

/** How many bytes are written between two checks. */
const INTERVAL = 16_777_216

/**
 * Temporary files are stored on a disk that other programs use too. This class refuses an archive if the disk would
 * become almost full.
 */
export class DiskSpace {
  readonly #minFree: number

  /** @param minFree number of bytes that stay free */
  constructor(minFree: number) {
    this.#minFree = minFree
  }

  /**
   * Requires free disk space for an archive.
   *
   * @param size number of bytes still to be written, if known
   * @throws `unavailable`
   */
  async require(folder: string, size = INTERVAL): Promise<void> {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < this.#minFree + size)
      throw unavailable('The disk for temporary files is almost full.')
  }

  /** Yields chunks while the disk has space for them; see {@link require}. */
  async *requireFor(folder: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let unchecked = 0
    for await (const chunk of chunks) {
      unchecked += chunk.length
      if (unchecked >= INTERVAL) {
        await this.require(folder)
        unchecked = 0
      }
      yield chunk
    }
  }
}
