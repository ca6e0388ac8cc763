import { createHash } from 'node:crypto'
import { type Request, type Response, Router } from 'express'

/** Something that is the same for everybody for as long as the process runs. */
export interface Prepared {
  path: string
  type: string
  text: string
  headers?: Record<string, string>
}

/** Serves what was prepared once: GET and HEAD only, and 304 to whoever has it already. */
export const prepared = (everything: Prepared[]): Router => {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, type, text, headers } of everything) {
    const bytes = Buffer.from(text)
    const all = {
      'Content-Type': type,
      ETag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    }
    // express answers If-None-Match and leaves out the body for HEAD.
    router.get(path, (_req: Request, res: Response) => void res.set(all).send(bytes))
    router.all(path, (_req, res) => void res.status(405).set('Allow', 'GET, HEAD').end())
  }
  return router
}

/** The JSON documents of the APIs at their addresses. */
export const documentDoor = (descriptions: { api: { documentPath: string }; document: object }[]): Router =>
  prepared(
    descriptions.map(({ api, document }) => ({
      path: api.documentPath,
      type: 'application/json; charset=utf-8',
      text: JSON.stringify(document),
    })),
  )
