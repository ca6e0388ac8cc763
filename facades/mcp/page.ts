import type { RequestHandler } from 'express'
import type { ToolServer } from './servers.ts'

/** What a browser sees that opens the address of a tool server; whoever asks for anything else is passed on. */
export const servePage =
  (_server: ToolServer, _apiRoot: string): RequestHandler =>
  (_req, _res, next) =>
    next()
