import type { IncomingMessage } from 'node:http'
import type { Core } from '../../routers/api/context.ts'
import { problemOf } from '../../routers/api/problem.ts'
import { ContentCache } from '../../routers/delivery/open-file.ts'
import { Thumbnails } from '../../routers/delivery/thumbnail.ts'
import { answering } from './answer.ts'
import { draftHandler } from './handlers/draft.ts'
import { fileHandler } from './handlers/file.ts'
import { pageHandler } from './handlers/page.ts'
import { postHandler } from './handlers/post.ts'
import { previewHandler } from './handlers/preview.ts'
import { siteHandler } from './handlers/site.ts'

/**
 * Serves the content domains and the domains of sites: sites, pages, previews, drafts, files and posts. Reads and sets no cookies; answers GET and HEAD
 * only.
 *
 * @param onFault called with an internal error and the reference that the visitor sees
 * @param addressOf returns the network address of the client
 */
export const contentHandler = (
  core: Core,
  onFault: (error: unknown, reference: string) => void,
  referenceOf: (req: object) => string,
  addressOf: (req: IncomingMessage) => string,
) => {
  const cache = new ContentCache()
  const thumbnails = new Thumbnails(cache)
  return answering(
    {
      site: siteHandler(core, addressOf),
      page: pageHandler(core),
      preview: previewHandler(core),
      draft: draftHandler(core),
      file: fileHandler(core, cache, { of: thumbnails.of.bind(thumbnails), addressOf }),
      post: postHandler(core),
    },
    { onFault, referenceOf, secondsUntilRetry },
  )
}

const secondsUntilRetry = (error: unknown): number | undefined =>
  problemOf(error).problem === 'unavailable' ? problemOf(error).circumstances.retryAfter : undefined
