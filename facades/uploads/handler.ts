import { type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server'
import { type Request, type Response, Router } from 'express'
import type { Context, RateState } from '../../routers/api/context.ts'
import { Problem } from '../../routers/api/problem.ts'
import { rules } from '../../routers/api/rules.ts'
import type { ReadBytes } from '../http/body.ts'
import { isCrossSite } from '../http/cross-site.ts'
import { drain } from '../http/drain.ts'
import { type ErrorOptions, sendError } from '../http/send-error.ts'
import { sendPrivate } from '../http/send-private.ts'

/** Dependencies of {@link uploadHandler}. */
export interface UploadOptions extends ErrorOptions {
  router: AnyTRPCRouter
  readBytes: ReadBytes
  /** The only origin whose pages may send files. */
  origin: string
  contextFor: (actor: null) => Context
}

const METHODS = ['POST', 'PUT']

/**
 * `PUT` or `POST /uploads/{token}` stores the body as a file. The token belongs to an upload link, and is checked
 * before the body is read.
 */
export const uploadHandler = (options: UploadOptions): Router => {
  const { router, readBytes } = options

  const store = (req: Request, res: Response, token: string, onRate: (state: RateState) => void) => {
    let caller = ''
    const onCaller = (id: string) => {
      caller = id
    }
    return callTRPCProcedure({
      router,
      path: 'uploadLinks.use',
      type: 'mutation',
      ctx: { ...options.contextFor(null), path: { token }, onRate, onCaller },
      getRawInput: async () => ({
        content: await readBytes(req, res, { limit: rules.file.max_bytes, caller }),
      }),
      signal: undefined,
      batchIndex: 0,
    })
  }

  const routes = Router({ caseSensitive: true, strict: true })
  routes.all('/uploads/:token', async (req, res) => {
    let rate: RateState | undefined
    try {
      if (isCrossSite(req, options.origin))
        throw new Problem('cross_site_request', { detail: 'A page of another site cannot send a file here.' })
      if (!METHODS.includes(req.method)) throw new Problem('method_not_allowed', { allow: METHODS })
      const file = await store(req, res, req.params.token, state => {
        rate = state
      })
      const body = { type: 'application/json; charset=utf-8', text: JSON.stringify(file) }
      sendPrivate(res, { status: 201, rate, body }, false)
    } catch (error) {
      sendError(req, res, error, rate, options)
    }
    drain(req)
  })
  return routes
}
