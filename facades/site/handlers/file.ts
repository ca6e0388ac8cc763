import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Delivery } from '../../../routers/api/context.ts'
import {
  type ContentCache,
  FileChangedError,
  fileOpener,
  MAX_CACHED_BYTES,
  type OpenedFile,
} from '../../../routers/delivery/open-file.ts'
import type { ThumbnailSize, Thumbnails } from '../../../routers/delivery/thumbnail.ts'
import { mayResume, verdictOn } from '../../http/conditional-requests.ts'
import {
  compress,
  compressor,
  type Encoding,
  encodedETag,
  encodingFor,
  MIN_COMPRESSED_BYTES,
} from '../../http/encoding.ts'
import { type Headers, sendBytes, sendVerdict } from '../../http/send-text.ts'
import { contentDisposition, isCompressible, opensInline, parseRange, withCharset } from '../file-headers.ts'
import { headers } from '../headers.ts'
import { pathOf, sendNotFound } from '../respond.ts'

/** Maximum number of attempts to send a file that changes while it is read. */
const ATTEMPTS = 3

/** Path of the small versions of a picture, which the dashboard shows. */
const THUMBNAIL = /^\/_thumbnail\/(small|large)$/

/**
 * Serves `<id>.<files_domain>`: the file at `/`, small versions of a picture, and nothing else. Text is compressed if
 * the client accepts that.
 *
 * A single range gets a 206 with bytes of the uncompressed file. Several ranges get the whole file, as RFC 9110 (14.2)
 * allows: no browser requests several ranges, and each range could make the service read the file again.
 *
 * @param cache keeps the contents of small files, and compressed forms
 * @param thumbnails makes the small versions of pictures, with the network address of the client; null to serve none
 */
export const fileHandler = (
  core: Delivery,
  cache: ContentCache,
  thumbnails: { of: Thumbnails['of']; addressOf: (req: IncomingMessage) => string } | null,
) => {
  const openFile = fileOpener(core, cache)
  return async (id: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = pathOf(req)
    const size = thumbnails ? (THUMBNAIL.exec(path)?.[1] as ThumbnailSize | undefined) : undefined
    for (let attempt = 1; ; attempt++) {
      const file = path === '/' || size ? await openFile(id) : null
      if (!file) return sendNotFound(res)
      try {
        return await (thumbnails && size
          ? deliverThumbnail(file, size, await thumbnails.of(file, size, thumbnails.addressOf(req)), res)
          : deliver(file, cache, req, res))
      } catch (error) {
        if (res.headersSent || !(error instanceof FileChangedError) || attempt === ATTEMPTS) throw error
      }
    }
  }
}

/** Sends a small version of a picture; 404 if there is none. */
const deliverThumbnail = (
  { digest }: OpenedFile,
  size: ThumbnailSize,
  bytes: Buffer | null,
  res: ServerResponse,
): void => {
  if (!bytes) {
    sendNotFound(res)
    return
  }
  const type = 'image/webp'
  const { 'Accept-Ranges': _, ...given } = headers.file(type)
  sendBytes(res, bytes, { ...given, 'Content-Type': type, ETag: `"${digest}-${size}"` })
}

/**
 * Sends the file.
 *
 * @throws FileChangedError if the file changed before anything was sent
 */
const deliver = async (
  file: OpenedFile,
  cache: ContentCache,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> => {
  const etag = `"${file.version}"`
  const changed = dateOfVersion(file)
  const isGzipped = await isGzippedSvg(file)
  const canEncode = !isGzipped && isCompressible(file.contentType) && file.size >= MIN_COMPRESSED_BYTES
  // A range is a part of the uncompressed file.
  const encoding = canEncode && req.headers.range === undefined ? encodingFor(req) : null
  const given = {
    ...headers.file(file.contentType),
    ...(canEncode ? { Vary: 'Accept-Encoding' } : {}),
    'Content-Disposition': contentDisposition(
      opensInline(file.contentType) ? 'inline' : 'attachment',
      file.name,
    ),
    ETag: encoding ? encodedETag(etag, encoding) : etag,
    // The date must not be in the future (RFC 9110, 8.8.2.1).
    'Last-Modified': new Date(Math.min(changed.getTime(), Date.now())).toUTCString(),
  }
  const version = { etag: given.ETag, lastModified: changed.toUTCString() }
  const verdict = verdictOn(req, version)
  if (verdict !== 'send') return sendVerdict(res, verdict, given)
  const type = {
    'Content-Type': withCharset(file.contentType),
    // The bytes are stored compressed, and a range is a part of them.
    ...(isGzipped ? { 'Content-Encoding': 'gzip' } : {}),
  }
  if (encoding)
    return sendEncoded(file, encoding, cache, res, { ...given, ...type, 'Content-Encoding': encoding })
  const range =
    req.method === 'GET' && mayResume(req.headers, version)
      ? parseRange(req.headers.range ?? '', file.size)
      : null
  if (range === 'unsatisfiable')
    return void res
      .writeHead(416, {
        ...given,
        ...type,
        'Content-Range': `bytes */${file.size}`,
        'Content-Length': '0',
      })
      .end()
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const begin = () =>
    res.writeHead(range ? 206 : 200, {
      ...given,
      ...type,
      'Content-Length': String(end - start + 1),
      ...(range ? { 'Content-Range': `bytes ${start}-${end}/${file.size}` } : {}),
    })
  if (req.method === 'HEAD') return void begin().end()
  // Send a short range without a stream. A stream would cost more than reading the range.
  const piece = await file.piece(start, end)
  if (piece) return void begin().end(piece)
  await send(file.read(start, end), res, begin)
}

/** Sends the file in an encoded form, from the cache if possible. */
const sendEncoded = async (
  file: OpenedFile,
  encoding: Encoding,
  cache: ContentCache,
  res: ServerResponse,
  given: Headers,
): Promise<void> => {
  const key = `${file.digest} ${encoding}`
  const bytes = file.isSmall
    ? await cache.get(key, async () => compress(await file.content(), encoding))
    : cache.find(key)
  if (bytes) return void res.writeHead(200, { ...given, 'Content-Length': String(bytes.length) }).end(bytes)
  if (res.req.method === 'HEAD') return void res.writeHead(200, given).end()
  const encoded: Buffer[] = []
  let length = 0
  const encoder = compressor(encoding, file.size)
  // Collect the encoded bytes for the cache, unless there are too many.
  encoder.on('data', (piece: Buffer) => {
    length += piece.length
    if (length <= MAX_CACHED_BYTES) encoded.push(piece)
    else encoded.length = 0
  })
  const begin = () => res.writeHead(200, given)
  const isComplete = await send(file.read(0, file.size - 1), res, begin, encoder)
  if (isComplete && length <= MAX_CACHED_BYTES) cache.set(key, Buffer.concat(encoded))
}

/** The first bytes of everything that is compressed with gzip. */
const GZIP = Buffer.from([0x1f, 0x8b])

/**
 * Whether a file is an SVG that was compressed before it was uploaded. Browsers show it only if the response names the
 * encoding. Some files with this ending are not compressed.
 */
const isGzippedSvg = async (file: OpenedFile): Promise<boolean> =>
  file.size > GZIP.length &&
  /\.svgz$/i.test(file.name) &&
  (await file.piece(0, GZIP.length - 1))?.equals(GZIP) === true

/**
 * The date that identifies the version of a file, to the second. A version that replaced another one gets the second
 * after its change. Otherwise two versions of one second would have the same date, and a download that is resumed by
 * date would mix them.
 */
const dateOfVersion = ({ createdAt, updatedAt }: OpenedFile): Date => {
  const second = Math.floor(updatedAt.getTime() / 1000)
  return new Date((updatedAt > createdAt ? second + 1 : second) * 1000)
}

/**
 * Streams the file with backpressure, through `encoder` if given. A reader who disconnects is not an error.
 *
 * @param begin called when the first piece has been read
 * @returns whether the whole content was sent
 */
const send = async (
  pieces: AsyncGenerator<Buffer, void, void>,
  res: ServerResponse,
  begin: () => void,
  encoder?: Transform,
): Promise<boolean> => {
  const first = await pieces.next()
  begin()
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
