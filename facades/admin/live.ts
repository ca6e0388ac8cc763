/** The screen while it is being worked on: each change of its sources shows in the open browser at once. */
import { readFile } from 'node:fs/promises'
import { type RequestHandler, Router } from 'express'
import { createServer } from 'vite'

const folder = new URL('.', import.meta.url)

/** @returns what answers for the screen, and how to stop it */
export const startLiveScreen = async (): Promise<{ door: RequestHandler; stop(): Promise<void> }> => {
  const vite = await createServer({
    configFile: new URL('vite.config.ts', folder).pathname,
    appType: 'custom',
    server: { middlewareMode: true },
  })
  const door = Router()
  door.use((req, res, next) => (req.url.startsWith('/admin/') ? vite.middlewares(req, res, next) : next()))
  door.get(/^\/admin(?:\/.*)?$/, async (req, res) => {
    const html = await readFile(new URL('index.html', folder), 'utf8')
    res.type('html').send(await vite.transformIndexHtml(req.originalUrl, html))
  })
  return { door, stop: () => vite.close() }
}
