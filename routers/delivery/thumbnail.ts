import { FairQueue } from '../api/fair-queue.ts'
import { problemOf, unavailable } from '../api/problem.ts'
import type { ContentCache, OpenedFile } from './open-file.ts'

/** Maximum width and height of each kind of thumbnail, in pixels. */
export const THUMBNAILS = { small: 96, large: 480 } as const

export type ThumbnailSize = keyof typeof THUMBNAILS

/** Maximum number of pixels of a picture. Scaling a larger one would take too much memory. */
const MAX_PIXELS = 40_000_000

/** Time after which scaling a picture is given up, in seconds. */
const MAX_SECONDS = 10

/**
 * Limits of the queue, as numbers of pictures. Only one picture is decoded at a time, because decoding can take 160 MB
 * of memory.
 */
const LIMITS = { running: 1, runningPerAccount: 1, waiting: 500, waitingPerAccount: 200 }

/** Signatures of the formats that are scaled, with their offsets. SVG is missing because it needs no thumbnail. */
const SIGNATURES: [offset: number, bytes: string][] = [
  [0, '\xff\xd8\xff'],
  [0, '\x89PNG\r\n\x1a\n'],
  [0, 'GIF8'],
  [8, 'WEBP'],
  [4, 'ftypavif'],
]

const isPicture = (bytes: Buffer) =>
  SIGNATURES.some(([offset, start]) => bytes.toString('latin1', offset, offset + start.length) === start)

/** Creates small versions of pictures. */
export class Thumbnails {
  readonly #queue = new FairQueue(LIMITS)
  readonly #cache: ContentCache

  /** @param cache keeps the thumbnails by the digest of the picture */
  constructor(cache: ContentCache) {
    this.#cache = cache
  }

  /**
   * Returns a small version of a picture as WebP; null if the file is not a picture that can be decoded.
   *
   * @param caller network address of the caller; callers take turns
   * @throws `unavailable` when too many pictures are waiting, or the machine is too busy to scale this one in time
   */
  async of(file: OpenedFile, size: ThumbnailSize, caller: string): Promise<Buffer | null> {
    if (!file.contentType.startsWith('image/')) return null
    const key = `${file.digest} thumbnail ${size}`
    const make = async () => scale(await contentOf(file), THUMBNAILS[size])
    const bytes =
      this.#cache.find(key) ??
      (await this.#cache
        .get(key, () => this.#queue.run(caller, 1, make))
        .catch((error: unknown) => {
          throw problemOf(error).problem === 'rate_limited' ? busy(error) : error
        }))
    return bytes.length === 0 ? null : bytes
  }
}

const busy = (cause: unknown) => unavailable('Too many pictures are being scaled.', cause)

const contentOf = async (file: OpenedFile): Promise<Buffer> => {
  if (file.isSmall) return file.content()
  const pieces: Buffer[] = []
  for await (const piece of file.read(0, file.size - 1)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Scales a picture. Returns an empty buffer for a file that cannot be decoded, so that this result is cached too. */
const scale = async (picture: Buffer, side: number): Promise<Buffer> => {
  if (!isPicture(picture)) return Buffer.alloc(0)
  // Load the library when it is first needed, because loading it slows the start of the process.
  const { default: sharp } = await import('sharp')
  try {
    return await sharp(picture, { limitInputPixels: MAX_PIXELS, sequentialRead: true })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: MAX_SECONDS })
      .webp({ quality: 78 })
      .toBuffer()
  } catch (error) {
    if (error instanceof Error && error.message.includes('timeout')) throw busy(error)
    return Buffer.alloc(0)
  }
}
