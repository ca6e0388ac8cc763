import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { Core } from '../../../routers/core/context.ts'
import { FileChangedError, type OpenedFile, openFile } from '../../../routers/delivery/open-file.ts'
import { contentDisposition } from '../disposition.ts'
import { opensInline, withCharset } from '../file-type.ts'
import { headers } from '../headers.ts'
import { parseRange, type Range } from '../range.ts'
import { sendNotFound } from '../respond.ts'

/** How often a file is reopened when it changes while being read. */
const ATTEMPTS = 3

/**
 * Serves `<id>.<files_domain>`: the file at `/` and nothing else.
 *
 * A single range gets a 206. Several ranges get the whole file, as RFC 9110 (14.2) allows: no
 * browser requests them, and each could make the service read the file again.
 */
export const fileHandler =
  (core: Core) =>
  async (id: string, req: Request, res: Response): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const file = req.path === '/' ? await openFile(core, id) : null
      if (!file) return sendNotFound(res)
      try {
        return await deliver(file, req, res)
      } catch (error) {
        if (!(error instanceof FileChangedError) || attempt === ATTEMPTS) throw error
      }
    }
  }

/** @throws FileChangedError while nothing has been sent */
const deliver = async (file: OpenedFile, req: Request, res: Response): Promise<void> => {
  res.status(200).set({
    ...headers.file(file.contentType),
    'Content-Type': withCharset(file.contentType),
    'Content-Disposition': contentDisposition(
      opensInline(file.contentType) ? 'inline' : 'attachment',
      file.name,
    ),
    ETag: `"${file.version}"`,
    'Last-Modified': file.updatedAt.toUTCString(),
  })
  if (req.fresh) {
    res.removeHeader('Content-Type')
    return void res.status(304).end()
  }
  const range = rangeOf(file, req, res)
  if (range === 'unsatisfiable')
    return void res
      .status(416)
      .set({ 'Content-Range': `bytes */${file.size}`, 'Content-Length': '0' })
      .end()
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  res.set('Content-Length', String(end - start + 1))
  if (range) res.status(206).set('Content-Range', `bytes ${start}-${end}/${file.size}`)
  if (req.method === 'HEAD') return void res.end()
  await send(file.read(start, end), res)
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

/** Streams the file with backpressure. A reader who disconnects is not an error. */
const send = async (pieces: AsyncGenerator<Buffer, void, void>, res: Response): Promise<void> => {
  const first = await pieces.next()
  try {
    await pipeline(async function* rest() {
      if (!first.done) yield first.value
      yield* pieces
    }, res)
  } catch (error) {
    const isCutOff = error instanceof FileChangedError || res.destroyed
    if (!isCutOff) throw error
  }
}
