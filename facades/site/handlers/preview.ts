import type { Request, Response } from 'express'
import type { Core } from '../../../routers/core/context.ts'
import { RECEIVER_SOURCE, receiver } from '../documents/receiver.ts'
import { headers } from '../headers.ts'
import { sendDocument, sendNotFound } from '../respond.ts'

/** What stands behind `preview-`: made up by `previews.origin`, and by nobody remembered. */
const LABEL = /^[2-9a-z]{16}$/

/**
 * Delivers from `preview-<label>.<pages_domain>`, where the screen shows drafts. A draft is never on the screen's own
 * origin, and no two editors share one; what is delivered is the same for all of them and knows nothing of any space.
 * Scripted drafts run at `/`, under what holds for scripted pages; static ones are shown at `/static`, where none runs.
 */
export const previewHandler = (core: Core) => {
  const screen = new URL(core.addresses.apiRoot).origin
  const documents: Record<string, { given: Record<string, string>; text: string }> = {
    '/': { given: headers.scriptedPreview(screen), text: receiver(screen, 'scripted') },
    '/static': {
      given: headers.staticPreview(screen, RECEIVER_SOURCE),
      text: receiver(screen, 'static'),
    },
  }
  return (label: string, req: Request, res: Response): void => {
    const document = LABEL.test(label) && Object.hasOwn(documents, req.path) ? documents[req.path] : undefined
    if (document) sendDocument(res, document.given, document.text)
    else sendNotFound(res)
  }
}
