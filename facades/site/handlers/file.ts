import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { Core } from '../../../routers/core/context.ts'
import {
  ContentCache,
  FileChangedError,
  fileOpener,
  MAX_CACHED_BYTES,
  type OpenedFile,
} from '../../../routers/delivery/open-file.ts'
import { type ThumbnailSize, Thumbnails } from '../../../routers/delivery/thumbnail.ts'
import {
  compress,
  compressor,
  type Encoding,
  encodedETag,
  encodingFor,
  MIN_COMPRESSED_BYTES,
} from '../../http/encoding.ts'
import { contentDisposition } from '../disposition.ts'
import { isCompressible, opensInline, withCharset } from '../file-type.ts'
import { headers } from '../headers.ts'
import { parseRange, type Range } from '../range.ts'
import { sendNotFound } from '../respond.ts'

/** How often a file is reopened when it changes while being read. */
const ATTEMPTS = 3

/** Path of the small versions of a picture, which the dashboard shows. */
const THUMBNAIL = /^\/_thumbnail\/(small|large)$/

/**
 * Serves `<id>.<files_domain>`: the file at `/`, small versions of a picture, and nothing else. Text is compressed if the
 * client accepts that.
 *
 * A single range gets a 206, of the uncompressed file. Several ranges get the whole file, as RFC 9110 (14.2) allows: no
 * browser requests them, and each could make the service read the file again.
 */
export const fileHandler = (core: Core) => {
  const cache = new ContentCache()
  const openFile = fileOpener(core, cache)
  const thumbnails = new Thumbnails(cache)
  return async (id: string, req: Request, res: Response): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const size = THUMBNAIL.exec(req.path)?.[1] as ThumbnailSize | undefined
      const file = req.path === '/' || size ? await openFile(id) : null
      if (!file) return sendNotFound(res)
      try {
        return await (size
          ? deliverThumbnail(file, size, thumbnails, req, res)
          : deliver(file, cache, req, res))
      } catch (error) {
        if (res.headersSent) throw error
        for (const name of res.getHeaderNames()) res.removeHeader(name)
        if (!(error instanceof FileChangedError) || attempt === ATTEMPTS) throw error
      }
    }
  }
}

/** Sends a small version of a picture; 404 for any other file. */
const deliverThumbnail = async (
  file: OpenedFile,
  size: ThumbnailSize,
  thumbnails: Thumbnails,
  req: Request,
  res: Response,
): Promise<void> => {
  const bytes = await thumbnails.of(file, size, req.ip ?? 'unknown')
  if (!bytes) return sendNotFound(res)
  const type = 'image/webp'
  const { 'Accept-Ranges': _, ...given } = headers.file(type)
  res.status(200).set({ ...given, 'Content-Type': type, ETag: `"${file.digest}-${size}"` })
  if (req.fresh) return void res.status(304).end()
  res.set('Content-Length', String(bytes.length)).end(req.method === 'HEAD' ? undefined : bytes)
}

/**
 * Sends the file.
 *
 * @throws FileChangedError if the file changed before anything was sent
 */
const deliver = async (file: OpenedFile, cache: ContentCache, req: Request, res: Response): Promise<void> => {
  const etag = `"${file.version}"`
  const encoding = encodingOf(file, req, res)
  res.status(200).set({
    ...headers.file(file.contentType),
    'Content-Type': withCharset(file.contentType),
    'Content-Disposition': contentDisposition(
      opensInline(file.contentType) ? 'inline' : 'attachment',
      file.name,
    ),
    ETag: encoding ? encodedETag(etag, encoding) : etag,
    'Last-Modified': file.updatedAt.toUTCString(),
  })
  if (req.fresh) {
    res.removeHeader('Content-Type')
    return void res.status(304).end()
  }
  if (encoding) return sendEncoded(file, encoding, cache, req, res)
  const range = rangeOf(file, req, res)
  if (range === 'unsatisfiable')
    return void res
      .status(416)
      .set({ 'Content-Range': `bytes */${file.size}`, 'Content-Length': '0' })
      .end()
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const setHeaders = () => {
    res.set('Content-Length', String(end - start + 1))
    if (range) res.status(206).set('Content-Range', `bytes ${start}-${end}/${file.size}`)
  }
  if (req.method === 'HEAD') {
    setHeaders()
    return void res.end()
  }
  // A stream would cost more than reading a short range.
  const piece = await file.piece(start, end)
  setHeaders()
  if (piece) return void res.end(piece)
  await send(file.read(start, end), res)
}

/**
 * Returns the encoding of the file for this client; null if the file is not text, or if the client requests a range of
 * it.
 */
const encodingOf = (file: OpenedFile, req: Request, res: Response): Encoding | null => {
  if (!isCompressible(file.contentType) || file.size < MIN_COMPRESSED_BYTES) return null
  res.vary('Accept-Encoding')
  return req.get('Range') === undefined ? encodingFor(req) : null
}

/** Sends the file in an encoded form, which is taken from the cache if it is there. */
const sendEncoded = async (
  file: OpenedFile,
  encoding: Encoding,
  cache: ContentCache,
  req: Request,
  res: Response,
): Promise<void> => {
  const key = `${file.digest} ${encoding}`
  const bytes = file.isSmall
    ? await cache.get(key, async () => compress(await file.content(), encoding))
    : cache.find(key)
  res.set('Content-Encoding', encoding)
  if (bytes) return void res.set('Content-Length', String(bytes.length)).end(bytes)
  if (req.method === 'HEAD') return void res.end()
  const encoded: Buffer[] = []
  let length = 0
  const encoder = compressor(encoding, file.size)
  // Collect the encoded bytes for the cache, unless there are too many.
  encoder.on('data', (piece: Buffer) => {
    length += piece.length
    if (length <= MAX_CACHED_BYTES) encoded.push(piece)
    else encoded.length = 0
  })
  const isComplete = await send(file.read(0, file.size - 1), res, encoder)
  if (isComplete && length <= MAX_CACHED_BYTES) cache.set(key, Buffer.concat(encoded))
}

/** The requested range; null for the whole file. */
const rangeOf = (file: OpenedFile, req: Request, res: Response): Range | 'unsatisfiable' | null => {
  const condition = req.get('If-Range')
  if (req.method !== 'GET' || (condition && !isSame(condition, res))) return null
  return parseRange(req.get('Range') ?? '', file.size)
}

/** Whether `If-Range` names the current content, by ETag or by exact date (RFC 9110, 13.1.5). */
const isSame = (condition: string, res: Response): boolean =>
  condition === res.get('ETag') || condition === res.get('Last-Modified')

/**
 * Streams the file with backpressure, through `encoder` if given. A reader who disconnects is not an error.
 *
 * @returns whether all of it was sent
 */
const send = async (
  pieces: AsyncGenerator<Buffer, void, void>,
  res: Response,
  encoder?: Transform,
): Promise<boolean> => {
  const first = await pieces.next()
  const source = async function* whole() {
    if (!first.done) yield first.value
    yield* pieces
  }
  try {
    await (encoder ? pipeline(source, encoder, res) : pipeline(source, res))
    return true
  } catch (error) {
    const isCutOff = error instanceof FileChangedError || res.destroyed
    if (!isCutOff) throw error
    return false
  }
}
