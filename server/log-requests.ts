import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { newId } from '../db/id.ts'

/** Numbers of requests, by which a caller's fault report leads to the log. */
const references = new WeakMap<object, string>()

/** The number under which a request stands in the log. */
export const referenceOf = (req: object): string => references.get(req) ?? 'unknown'

/** Gives each request a number and logs one line when it has ended. */
export const logRequests =
  (log: Logger): RequestHandler =>
  (req, res, next) => {
    const reference = newId()
    references.set(req, reference)
    const start = performance.now()
    const { method } = req
    const [path] = req.originalUrl.split('?', 1)
    const { host } = req.headers
    res.on('close', () => {
      const ms = Math.round((performance.now() - start) * 10) / 10
      const status = res.writableFinished ? res.statusCode : 'cut off'
      log.info({ reference, method, host, path, status, ms }, 'request')
    })
    next()
  }
