import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { newId } from '../db/id.ts'
import { REQUEST, type RequestLine } from './log.ts'

/**
 * The reference of each request: the id under which the request is logged. Error responses contain the reference, so
 * that a reported error can be found in the log.
 */
const references = new WeakMap<object, string>()

/** Returns the reference under which a request is logged. */
export const referenceOf = (req: object): string => references.get(req) ?? 'unknown'

/** Paths of health checks and of resources that pages load: style sheets, scripts, images and fonts. */
const ROUTINE =
  /^\/(?:healthz|readyz(?:\/process)?)$|^\/admin\/@|\.(?:css|js|mjs|tsx?|map|svg|png|jpe?g|gif|webp|avif|ico|woff2?)$/

/** The secret in the path of an upload link. */
const SECRET = /^(\/uploads\/).+/

/** Assigns each request a reference and logs one line when its response has ended. */
export const logRequests =
  (log: Logger) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    const reference = newId()
    references.set(req, reference)
    const start = performance.now()
    const { method = 'GET' } = req
    const url = req.url ?? '/'
    const query = url.indexOf('?')
    const path = (query === -1 ? url : url.slice(0, query)).replace(SECRET, '$1…')
    const { host } = req.headers
    res.on('close', () => {
      const ms = Math.round((performance.now() - start) * 10) / 10
      const status = res.writableFinished ? res.statusCode : 'aborted'
      const isRoutine =
        (method === 'GET' || method === 'HEAD') && status !== 'aborted' && status < 400 && ROUTINE.test(path)
      const line: RequestLine = { method, host, path, status, ms }
      log[isRoutine ? 'debug' : 'info']({ reference, ...line }, REQUEST)
    })
  }
