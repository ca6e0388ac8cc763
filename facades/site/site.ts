import type { Request, Response } from 'express'
import type { Core } from '../../routers/core/context.ts'
import { RendererBusyError } from '../../routers/core/renderer.ts'
import type { Door } from '../doors.ts'
import { drain } from '../rest/drain.ts'
import { sendDocument } from './answer.ts'
import { broken, busy, onlyReading } from './documents/notices.ts'
import { fileDoor } from './file-door.ts'
import { headers } from './headers.ts'
import { pageDoor } from './page-door.ts'
import { postDoor } from './post-door.ts'
import { previewDoor } from './preview-door.ts'
import { siteDoor } from './site-door.ts'

type ContentDoor = Exclude<Door, { kind: 'main' }>

/** Answers one request at the door of a name. */
type Deliver = (name: string, req: Request, res: Response) => Promise<void> | void

/**
 * The doors that browsers open: sites, the origins of pages, and files. They read and set no cookies, and answer GET
 * and HEAD alone.
 *
 * @param onFault hears of what broke, with the number that the visitor is told
 */
export const siteDoors = (
  core: Core,
  onFault: (error: unknown, reference: string) => void,
  referenceOf: (req: object) => string,
) => {
  const doors: Record<ContentDoor['kind'], Deliver> = {
    site: siteDoor(core),
    page: pageDoor(core),
    preview: previewDoor(core),
    file: fileDoor(core),
    post: postDoor(core),
  }

  const fail = (error: unknown, req: Request, res: Response) => {
    if (error instanceof RendererBusyError) {
      res.status(503).set('Retry-After', String(error.retryAfterSeconds))
      return sendDocument(res, headers.notice, busy(error.retryAfterSeconds))
    }
    onFault(error, referenceOf(req))
    if (res.headersSent) return void res.destroy()
    for (const name of res.getHeaderNames()) res.removeHeader(name)
    sendDocument(res.status(500), headers.notice, broken(referenceOf(req)))
  }

  return async (door: ContentDoor, req: Request, res: Response): Promise<void> => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.status(405).set('Allow', 'GET, HEAD')
      sendDocument(res, headers.notice, onlyReading(req.method))
      return drain(req)
    }
    try {
      await doors[door.kind](door.name, req, res)
    } catch (error) {
      fail(error, req, res)
    }
  }
}
