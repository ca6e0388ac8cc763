import { createHmac, timingSafeEqual } from 'node:crypto'
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { sessions } from '../../routers/accounts/sessions/router.ts'
import type { SessionActor } from '../../routers/core/actor.ts'
import type { Context } from '../../routers/core/context.ts'
import { type Problem, problemOf } from '../../routers/core/problem.ts'
import { createCallerFactory } from '../../routers/core/trpc.ts'
import { approve } from '../../routers/credentials/oauth/consent.ts'
import { OauthError } from '../../routers/credentials/oauth/error.ts'
import {
  type AuthorizationRequest,
  checkRequest,
  errorRedirect,
} from '../../routers/credentials/oauth/request.ts'
import { basePath } from '../http/base-path.ts'
import { isCrossSite } from '../http/cross-site.ts'
import { signInCookies } from '../http/sign-in-cookies.ts'
import { FORM, formOf } from './form.ts'
import { pageHeaders } from './headers.ts'
import { consentPage, invalidRequestPage, refusedPage, signInPage } from './pages.ts'

/** Dependencies of the pages. */
export interface AuthorizeOptions {
  authenticate: (sessionToken: string | undefined) => Promise<SessionActor | null>
  contextFor: (actor: SessionActor | null) => Context
}

const callSessions = createCallerFactory(sessions)

/** Maximum length of an authorization request, in characters. */
const MAX_LENGTH = 8192

/**
 * The pages on which a person decides whether a client may act for them: sign-in if needed, then consent. They work
 * without JavaScript. Each form carries the client's request, which is checked again on every step.
 */
export const authorizePages = ({ authenticate, contextFor }: AuthorizeOptions): Router => {
  const { core } = contextFor(null)
  const { origin } = new URL(core.addresses.apiRoot)
  const base = `${basePath(core.addresses.apiRoot)}/oauth`
  const cookies = signInCookies(origin)

  const send = (res: Response, status: number, page: string, redirectUri?: string) =>
    void res.status(status).set(pageHeaders(redirectUri)).type('html').send(page)

  /** Redirects to exactly this address. Express's own redirect would re-encode some registered addresses. */
  const redirect = (res: Response, location: string) =>
    void res.status(303).set(pageHeaders()).set('Location', location).end()

  /**
   * Returns the request, or undefined after responding with an error. The person decides whether to follow the redirect
   * that reports it: anyone can register a client, so an automatic redirect would lead from here to any address.
   */
  const check = async (req: Request, res: Response, query: string) => {
    if (query.length > MAX_LENGTH) throw new OauthError('invalid_request', 'The request is too long')
    const checked = await checkRequest(core, query, req.ip ?? 'unknown')
    if (checked.kind === 'ask') return checked.request
    send(res, 400, invalidRequestPage({ base, ...checked.request }))
  }

  const denial = (request: AuthorizationRequest) =>
    errorRedirect(core, request, new OauthError('access_denied', 'The person denied the request'))

  const askToSignIn = (res: Response, query: string, request: AuthorizationRequest, problem?: Problem) =>
    send(
      res,
      problem ? statusOf(problem) : 200,
      signInPage({
        base,
        query,
        request,
        cancel: denial(request),
        error: problem ? messageOf(problem) : null,
      }),
      request.redirectUri,
    )

  const router = Router({ caseSensitive: true, strict: true })

  router.get('/oauth/authorize', async (req, res) => {
    const query = req.url.split('?').slice(1).join('?')
    const request = await check(req, res, query)
    if (!request) return
    const secret = cookies.session(req)
    const actor = await authenticate(secret)
    if (!actor || secret === undefined) return askToSignIn(res, query, request)
    const page = consentPage({ base, query, request, handle: actor.handle, proof: proofOf(secret, query) })
    send(res, 200, page, request.redirectUri)
  })

  // The routes below change something, so the request has to come from one of our pages.
  router.use(['/oauth/sign-in', '/oauth/consent'], (req, _res, next) => {
    if (isCrossSite(req, origin))
      throw new OauthError('invalid_request', 'The form was sent from another site')
    next()
  })

  router.post('/oauth/sign-in', FORM, async (req, res) => {
    const form = formOf(req)
    const query = form.get('request') ?? ''
    const request = await check(req, res, query)
    if (!request) return
    const caller = callSessions({ ...contextFor(null), ...cookies.contextOf(req, res) })
    try {
      await caller.create({ handle: form.get('handle') ?? '', password: form.get('password') ?? '' })
    } catch (error) {
      const problem = problemOf(error)
      if (problem.problem === 'internal_error') throw error
      return askToSignIn(res, query, request, problem)
    }
    redirect(res, `${base}/authorize?${query}`)
  })

  router.post('/oauth/consent', FORM, async (req, res) => {
    const form = formOf(req)
    const query = form.get('request') ?? ''
    const request = await check(req, res, query)
    if (!request) return
    const secret = cookies.session(req)
    const actor = await authenticate(secret)
    // The session ended while the page was open.
    if (!actor || secret === undefined) return askToSignIn(res, query, request)
    const proof = proofOf(secret, query)
    if (!isSame(form.get('proof') ?? '', proof))
      throw new OauthError(
        'invalid_request',
        'The form belongs to another session or request. Open the page again',
      )
    const decision = form.get('decision')
    if (decision === 'switch') {
      await callSessions({ ...contextFor(actor), ...cookies.contextOf(req, res) }).delete()
      return redirect(res, `${base}/authorize?${query}`)
    }
    if (decision !== 'allow') return redirect(res, denial(request))
    const chosen = form.getAll('scope')
    const consent = { base, query, request, handle: actor.handle, proof, chosen }
    try {
      const location = await approve(core, request, actor, chosen)
      if (location !== null) return redirect(res, location)
    } catch (error) {
      const { problem } = problemOf(error)
      if (problem === 'sign_in_required') return askToSignIn(res, query, request)
      if (problem !== 'too_many_tokens') throw error
      const page = consentPage({ ...consent, error: 'too many tokens' })
      return send(res, 409, page, request.redirectUri)
    }
    send(res, 422, consentPage({ ...consent, error: 'nothing chosen' }), request.redirectUri)
  })

  const handleErrors: ErrorRequestHandler = (error: unknown, _req, res, next) => {
    // The form parser sets a 4xx status on errors of the sender.
    const isFormError = error instanceof Error && 'status' in error && Number(error.status) < 500
    if (isFormError)
      return send(res, 400, refusedPage({ base, reason: 'The form is too large or malformed' }))
    if (!(error instanceof OauthError)) return next(error)
    if (error.retryAfter !== undefined) res.set('Retry-After', String(error.retryAfter))
    send(
      res,
      error.code === 'temporarily_unavailable' ? 429 : 400,
      refusedPage({ base, reason: error.message }),
    )
  }
  router.use(handleErrors)
  return router
}

/** A CSRF token that binds a form to the session and to the client's request. */
const proofOf = (sessionToken: string, query: string): string =>
  createHmac('sha256', sessionToken).update(`consent\n${query}`).digest('base64url')

const isSame = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const statusOf = ({ problem }: Problem) =>
  problem === 'rate_limited' ? 429 : problem === 'sign_in_failed' ? 401 : 422

const messageOf = ({ problem, message }: Problem) =>
  problem === 'rate_limited' ? message : 'Handle and password do not match.'
