import express, { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express'
import type { Core } from '../../routers/api/context.ts'
import { namedServer, oauthAddresses } from '../../routers/credentials/oauth/addresses.ts'
import { requireClient } from '../../routers/credentials/oauth/clients.ts'
import { OauthError, type OauthErrorCode } from '../../routers/credentials/oauth/error.ts'
import { exchangeCode } from '../../routers/credentials/oauth/exchange.ts'
import { refresh } from '../../routers/credentials/oauth/refresh.ts'
import { register } from '../../routers/credentials/oauth/register.ts'
import { revoke } from '../../routers/credentials/oauth/revoke.ts'
import { FORM, formOf } from '../http/form.ts'
import { extraServers, serverNames } from '../shared/server-names.ts'

/** Maximum size of a registration request, in bytes. */
const REGISTRATION_LIMIT = 32_768

/** HTTP statuses of the errors whose status is not 400 (RFC 6749, 5.2). */
const STATUSES: Partial<Record<OauthErrorCode, number>> = {
  invalid_client: 401,
  temporarily_unavailable: 429,
}

/** The endpoints that clients call themselves: tokens, registration and revocation. */
export const endpoints = (core: Core): Router => {
  const router = Router({ caseSensitive: true, strict: true })

  router.post('/oauth/token', FORM, async (req, res) => {
    const form = formOf(req)
    const clientId = await requireClient(core, one(form, 'client_id'))
    const server = namedServer(core, form)
    const kind = required(form, 'grant_type')
    if (kind === 'authorization_code')
      return void res.json(
        await exchangeCode(core, {
          clientId,
          code: required(form, 'code'),
          verifier: required(form, 'code_verifier'),
          redirectUri: one(form, 'redirect_uri'),
          server,
        }),
      )
    if (kind === 'refresh_token')
      return void res.json(
        await refresh(core, clientId, required(form, 'refresh_token'), {
          scope: one(form, 'scope'),
          server,
        }),
      )
    throw new OauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
  })

  router.post('/oauth/register', express.json({ limit: REGISTRATION_LIMIT }), async (req, res) => {
    if (!req.is('application/json'))
      throw new OauthError('invalid_client_metadata', 'The content type must be application/json')
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
      sendError(res, new OauthError('invalid_request', 'Only POST is allowed'), 405)
    })
  router.all(GUESSED_PATHS, (_req, res) => {
    const { issuer, serverMetadata } = oauthAddresses(core.addresses)
    const description = `The authorization server is ${issuer}. Its endpoints are listed in ${serverMetadata}`
    sendError(res, new OauthError('invalid_request', description), 404)
  })
  router.use(handleErrors)
  return router
}

/**
 * The paths at which clients look for the endpoints if they do not read metadata (MCP 2025-03-26, "Fallbacks"): at the
 * root or, for some clients, below the tool server.
 */
const GUESSED_ENDPOINTS = [{ path: '' }, ...Object.values({ ...serverNames, ...extraServers })].flatMap(
  ({ path }) => ['authorize', 'token', 'register', 'revoke'].map(name => `${path}/${name}`),
)

/** Paths where clients wrongly look for endpoints and metadata. The response names the right addresses. */
const GUESSED_PATHS = [
  ...GUESSED_ENDPOINTS,
  '/.well-known/oauth-authorization-server{/*path}',
  '/.well-known/oauth-protected-resource{/*path}',
  '/.well-known/openid-configuration{/*path}',
]

/** Paths that clients call from any origin. */
export const CLIENT_PATHS = ['/oauth/token', '/oauth/register', '/oauth/revoke', ...GUESSED_ENDPOINTS]

/**
 * Lets pages of other sites read the metadata and call these endpoints, because some clients run in a browser. The
 * endpoints ignore cookies.
 */
export const allowCrossOrigin: RequestHandler = (req, res, next) => {
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

const handleErrors: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (error instanceof OauthError) return sendError(res, error)
  // Body parsers set a 4xx status on errors that the caller caused.
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  if (status >= 500) return next(error)
  sendError(res, new OauthError('invalid_request', 'The body is too large or malformed'), status)
}

const sendError = (
  res: Response,
  { code, message, retryAfter }: OauthError,
  status = STATUSES[code] ?? 400,
) => {
  if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter))
  // HTTP requires that every 401 names an authentication scheme. But here, the client has to register again, and there
  // is no scheme that says so. Therefore, name Basic.
  if (status === 401) res.set('WWW-Authenticate', 'Basic realm="oauth"')
  res.status(status).json({ error: code, error_description: message })
}

const one = (form: URLSearchParams, name: string): string | undefined => {
  const values = form.getAll(name)
  if (values.length > 1) throw new OauthError('invalid_request', `${name} must not be repeated`)
  return values[0]
}

const required = (form: URLSearchParams, name: string): string => {
  const value = one(form, name)
  if (value === undefined || value === '') throw new OauthError('invalid_request', `${name} is missing`)
  return value
}
