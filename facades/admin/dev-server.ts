/** Serves the dashboard from source for `npm run dev`, with hot reload. */
import type { RequestHandler } from 'express'
import { createServer } from 'vite'
import { bundle } from './bundle.ts'

/** Starts Vite as middleware. The handler passes on every request outside `/admin`. */
export const startDevServer = async (): Promise<{ handler: RequestHandler; stop(): Promise<void> }> => {
  const vite = await createServer({ ...bundle('serve'), appType: 'spa', server: { middlewareMode: true } })
  return {
    handler: (req, res, next) =>
      /^\/admin(?:[/?]|$)/.test(req.url) ? vite.middlewares(req, res, next) : next(),
    stop: () => vite.close(),
  }
}
