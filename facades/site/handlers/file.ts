import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { Core } from '../../../routers/core/context.ts'
import { FileChangedError, type OpenedFile, openFile } from '../../../routers/delivery/open-file.ts'
import { contentDisposition } from '../disposition.ts'
import { opensInline, withCharset } from '../file-type.ts'
import { headers } from '../headers.ts'
import { parseRange, type Range } from '../range.ts'
import { sendNotFound } from '../respond.ts'

/** Milliseconds that a reader may take nothing for. Players that pause for longer ask again for the rest. */
const PATIENCE = 60_000

/** Times that a file is opened because it changed between two looks at it. */
const ATTEMPTS = 3

/**
 * Delivers from `<id>.<files_domain>` (decision 28). The file is at `/`; nothing else is there.
 *
 * One range is answered with 206. Several at once are answered with the whole file, as RFC 9110 (14.2) allows: no
 * browser asks for them, and each could make the service read the file again.
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

/** @throws FileChangedError before anything was sent */
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
      .set({ 'Content-Range': `bytes */${file.size}`, 'Content-Length': '0', 'Cache-Control': 'no-store' })
      .end()
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  res.set('Content-Length', String(end - start + 1))
  if (range) res.status(206).set('Content-Range', `bytes ${start}-${end}/${file.size}`)
  if (req.method === 'HEAD') return void res.end()
  await send(file.read(start, end), res)
}

/** What is asked for of the file; null for all of it. */
const rangeOf = (file: OpenedFile, req: Request, res: Response): Range | 'unsatisfiable' | null => {
  const condition = req.get('If-Range')
  if (req.method !== 'GET' || (condition && !isSame(condition, res))) return null
  return parseRange(req.get('Range') ?? '', file.size)
}

/** Whether a part that a reader has is of this very content: a strong tag, or exactly this date (RFC 9110, 13.1.5). */
const isSame = (condition: string, res: Response): boolean =>
  condition === res.get('ETag') || condition === res.get('Last-Modified')

/** Sends pieces as fast as they are taken. A reader that goes away is no fault. */
const send = async (pieces: AsyncGenerator<Buffer, void, void>, res: Response): Promise<void> => {
  const first = await pieces.next()
  res.setTimeout(PATIENCE, () => res.destroy())
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
