import express, { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express'
import type { Core } from '../../routers/core/context.ts'
import { OauthError, type OauthErrorCode } from '../../routers/credentials/oauth/error.ts'
import { exchangeCode } from '../../routers/credentials/oauth/exchange.ts'
import { requireClient } from '../../routers/credentials/oauth/find-client.ts'
import { refresh } from '../../routers/credentials/oauth/refresh.ts'
import { register } from '../../routers/credentials/oauth/register.ts'
import { requireResource } from '../../routers/credentials/oauth/request.ts'
import { revoke } from '../../routers/credentials/oauth/revoke.ts'
import { FORM, formOf } from './form.ts'

/** Most bytes of a request to register. */
const REGISTRATION = 32_768

/** Statuses that are not 400 (RFC 6749, 5.2). */
const STATUSES: Partial<Record<OauthErrorCode, number>> = {
  invalid_client: 401,
  temporarily_unavailable: 429,
}

/** What clients call themselves, without a person: tokens, registration, giving a grant back. */
export const endpoints = (core: Core): Router => {
  const router = Router({ caseSensitive: true, strict: true })

  router.post('/oauth/token', FORM, async (req, res) => {
    const form = formOf(req)
    const clientId = await requireClient(core, one(form, 'client_id'))
    requireResource(core, form)
    const kind = required(form, 'grant_type')
    if (kind === 'authorization_code')
      return void res.json(
        await exchangeCode(core, {
          clientId,
          code: required(form, 'code'),
          verifier: required(form, 'code_verifier'),
          redirectUri: one(form, 'redirect_uri'),
        }),
      )
    if (kind === 'refresh_token')
      return void res.json(await refresh(core, clientId, required(form, 'refresh_token'), one(form, 'scope')))
    throw new OauthError('unsupported_grant_type', 'grant_type is authorization_code or refresh_token')
  })

  router.post('/oauth/register', express.json({ limit: REGISTRATION }), async (req, res) => {
    if (!req.is('application/json'))
      throw new OauthError('invalid_client_metadata', 'The body has to be application/json')
    res.status(201).json(await register(core, req.ip ?? 'unknown', req.body))
  })

  router.post('/oauth/revoke', FORM, async (req, res) => {
    const form = formOf(req)
    const clientId = await requireClient(core, one(form, 'client_id'))
    await revoke(core, clientId, required(form, 'token'))
    res.end()
  })

  for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke'])
    router.all(path, (_req, res) => {
      res.set('Allow', 'POST')
      refuse(res, new OauthError('invalid_request', 'Only POST is answered here'), 405)
    })
  router.use(answerErrors)
  return router
}

/**
 * Lets pages of other sites read descriptions and call these endpoints: there are clients that run in a browser. No
 * cookie opens anything here.
 */
export const open: RequestHandler = (req, res, next) => {
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  if (req.method !== 'OPTIONS') return next()
  res
    .status(204)
    .set({ 'Access-Control-Allow-Methods': 'GET, POST', 'Access-Control-Allow-Headers': '*, Authorization' })
    .end()
}

const answerErrors: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (error instanceof OauthError) return refuse(res, error)
  // What reads bodies marks what is the caller's fault.
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  if (status >= 500) return next(error)
  refuse(res, new OauthError('invalid_request', 'The body is too large or cannot be read'), status)
}

const refuse = (res: Response, { code, message, retryAfter }: OauthError, status = STATUSES[code] ?? 400) => {
  if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter))
  // HTTP wants a challenge with every 401; there is no better name for a client that has to register anew.
  if (status === 401) res.set('WWW-Authenticate', 'Basic realm="oauth"')
  res.status(status).json({ error: code, error_description: message })
}

const one = (form: URLSearchParams, name: string): string | undefined => {
  const values = form.getAll(name)
  if (values.length > 1) throw new OauthError('invalid_request', `${name} is given twice`)
  return values[0]
}

const required = (form: URLSearchParams, name: string): string => {
  const value = one(form, name)
  if (value === undefined || value === '') throw new OauthError('invalid_request', `${name} is missing`)
  return value
}
