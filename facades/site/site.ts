import type { Request, Response } from 'express'
import type { Core } from '../../routers/context.ts'
import { openFile } from '../../routers/delivery/open-file.ts'
import { openPageAtOrigin, openPageOnSite } from '../../routers/delivery/open-page.ts'
import { errorPage } from '../../routers/liquid/error-page.ts'
import type { Door } from '../doors.ts'

type ContentDoor = Exclude<Door, { kind: 'main' }>

/** The doors that browsers open: sites, the origins of pages, and files. */
export const siteDoors = (
  core: Core,
  onFault: (error: unknown, reference: string) => void,
  referenceOf: (req: object) => string,
) => {
  const deliver = async (door: ContentDoor, req: Request, res: Response) => {
    const slug = req.path.slice(1)
    if (door.kind === 'file') {
      const file = await openFile(core, door.name)
      const bytes = await file?.read(0, file.size)
      if (!file || !bytes) return void res.status(404).type('text').send('Not found\n')
      res.type(file.contentType).send(bytes)
      return
    }
    const opened =
      door.kind === 'site'
        ? await openPageOnSite(core, door.name, slug)
        : await openPageAtOrigin(core, door.name)
    if (!opened) return void res.status(404).type('text').send('Not found\n')
    res.type('html').send(opened.result.ok ? opened.result.html : errorPage(opened.result.error))
  }
  return (door: ContentDoor, req: Request, res: Response): Promise<void> =>
    deliver(door, req, res).catch(error => {
      onFault(error, referenceOf(req))
      if (!res.headersSent)
        res
          .status(500)
          .type('text')
          .send(`Something broke. Reference ${referenceOf(req)}\n`)
    })
}
