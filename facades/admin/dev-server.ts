/** The screen while it is being worked on: each change of its sources shows in the open browser at once. */
import type { RequestHandler } from 'express'
import { createServer } from 'vite'
import { bundle } from './bundle.ts'

/** @returns what answers for the screen, and how to stop it */
export const startDevServer = async (): Promise<{ door: RequestHandler; stop(): Promise<void> }> => {
  const vite = await createServer({ ...bundle('serve'), appType: 'spa', server: { middlewareMode: true } })
  return {
    door: (req, res, next) =>
      /^\/admin(?:[/?]|$)/.test(req.url) ? vite.middlewares(req, res, next) : next(),
    stop: () => vite.close(),
  }
}
