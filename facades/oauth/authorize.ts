import { createHmac, timingSafeEqual } from 'node:crypto'
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { sessions } from '../../routers/accounts/sessions/router.ts'
import type { SessionActor } from '../../routers/api/actor.ts'
import { problemOf } from '../../routers/api/problem.ts'
import { createCallerFactory } from '../../routers/api/trpc.ts'
import { approve, canApprove } from '../../routers/credentials/oauth/consent.ts'
import { OauthError } from '../../routers/credentials/oauth/error.ts'
import { checkRequest } from '../../routers/credentials/oauth/request.ts'
import { basePath } from '../http/base-path.ts'
import { isCrossSite } from '../http/cross-site.ts'
import { FORM, formOf } from '../http/form.ts'
import { signInCookies } from '../http/sign-in-cookies.ts'
import { authorizationResponses, type ResponseOptions, type Session } from './authorization-responses.ts'
import { createSpace, spacesOf } from './new-space-page.ts'
import { invalidRequestPage, refusedPage } from './pages.ts'

/** Dependencies of the pages. */
export interface AuthorizeOptions extends ResponseOptions {
  authenticate: (sessionToken: string | undefined) => Promise<SessionActor | null>
}

const callSessions = createCallerFactory(sessions)

/** Maximum length of an authorization request, in characters. */
const MAX_LENGTH = 8192

/**
 * The pages on which a person decides whether a client may act for them: sign-in if needed, then consent. They work
 * without JavaScript. Each form carries the client's request, which is checked again on every step.
 */
export const authorizePages = ({ authenticate, ...options }: AuthorizeOptions): Router => {
  const { contextFor } = options
  const { core } = contextFor(null)
  const { origin } = new URL(core.addresses.apiRoot)
  const base = basePath(core.addresses.apiRoot)
  const cookies = signInCookies(origin)
  const { send, redirect, denial, askToSignIn, askForConsent, askForSpace } = authorizationResponses(
    options,
    base,
  )

  /**
   * Returns the authorization request, or undefined after showing an error page. The page reports the error to the
   * client only if the person follows its link. An automatic redirect could lead to any address, because anyone can
   * register a client.
   */
  const check = async (req: Request, res: Response, query: string) => {
    if (query.length > MAX_LENGTH) throw new OauthError('invalid_request', 'The request is too long')
    const checked = await checkRequest(core, query, req.ip ?? 'unknown')
    if (checked.kind === 'ask') return checked.request
    send(res, 400, invalidRequestPage({ base, ...checked.request }))
  }

  /** Checks a form's CSRF token and returns the person's session, or undefined after sending another page. */
  const sessionOf = async (
    req: Request,
    res: Response,
    form: URLSearchParams,
  ): Promise<Session | undefined> => {
    const query = form.get('request') ?? ''
    const request = await check(req, res, query)
    if (!request) return
    const secret = cookies.session(req)
    const actor = await authenticate(secret)
    // The session ended while the page was open.
    if (!actor || secret === undefined) {
      await askToSignIn(res, query, request)
      return
    }
    const proof = proofOf(secret, query)
    if (!isSame(form.get('proof') ?? '', proof))
      throw new OauthError(
        'invalid_request',
        'The form belongs to another session or request. Open the page again',
      )
    return { query, request, actor, proof }
  }

  const router = Router({ caseSensitive: true, strict: true })

  router.get('/oauth/authorize', async (req, res) => {
    const query = req.url.split('?').slice(1).join('?')
    const request = await check(req, res, query)
    if (!request) return
    const secret = cookies.session(req)
    const actor = await authenticate(secret)
    if (!actor || secret === undefined) return askToSignIn(res, query, request)
    if (!(await canApprove(core, actor))) return askToSignIn(res, query, request, { actor })
    await askForConsent(res, { query, request, actor, proof: proofOf(secret, query) }, 200)
  })

  // The routes below change something, so the request has to come from one of our pages.
  router.use(['/oauth/sign-in', '/oauth/consent', '/oauth/space'], (req, _res, next) => {
    if (isCrossSite(req, origin))
      throw new OauthError('invalid_request', 'The form was sent from another site')
    next()
  })

  router.post('/oauth/sign-in', FORM, async (req, res) => {
    const form = formOf(req)
    const query = form.get('request') ?? ''
    const request = await check(req, res, query)
    if (!request) return
    const actor = await authenticate(cookies.session(req))
    const caller = callSessions({ ...contextFor(actor), ...cookies.contextOf(req, res) })
    const handle = form.get('handle') ?? ''
    try {
      await caller.create({ handle, password: form.get('password') ?? '' })
    } catch (error) {
      const problem = problemOf(error)
      if (problem.problem === 'internal_error') throw error
      return askToSignIn(res, query, request, { actor: actor?.handle === handle ? actor : null, problem })
    }
    redirect(res, `${base}/oauth/authorize?${query}`)
  })

  router.post('/oauth/consent', FORM, async (req, res) => {
    const form = formOf(req)
    const session = await sessionOf(req, res, form)
    if (!session) return
    const { query, request, actor } = session
    const decision = form.get('decision')
    if (decision === 'switch') {
      await callSessions({ ...contextFor(actor), ...cookies.contextOf(req, res) }).delete()
      return redirect(res, `${base}/oauth/authorize?${query}`)
    }
    if (decision === 'create' && request.resource === 'space')
      return askForSpace(res, session, { canGoBack: true })
    if (decision !== 'allow') return redirect(res, denial(request))
    const chosen = form.getAll('scope')
    const subdomain = form.get('space') || null
    const retry = { chosen, subdomain }
    try {
      const location = await approve(core, request, actor, { scopes: chosen, subdomain })
      if (location !== null) return redirect(res, location)
    } catch (error) {
      const { problem } = problemOf(error)
      if (problem === 'sign_in_required') return askToSignIn(res, query, request)
      if (problem === 'confirmation_required') return askToSignIn(res, query, request, { actor })
      if (problem === 'space_not_found' || problem === 'owners_only')
        return askForConsent(res, session, 422, { chosen, subdomain: null, error: 'no space' })
      if (problem === 'too_many_keys')
        return askForConsent(res, session, 409, { ...retry, error: 'too many keys' })
      if (problem !== 'too_many_tokens') throw error
      return askForConsent(res, session, 409, { ...retry, error: 'too many tokens' })
    }
    await askForConsent(res, session, 422, { ...retry, error: 'nothing chosen' })
  })

  router.post('/oauth/space', FORM, async (req, res) => {
    const form = formOf(req)
    const session = await sessionOf(req, res, form)
    if (!session) return
    const { request, actor } = session
    if (form.get('decision') !== 'create') return redirect(res, denial(request))
    if (request.resource !== 'space')
      throw new OauthError('invalid_request', 'The app is not being connected to a space')
    const values = { name: form.get('name') ?? '', subdomain: form.get('subdomain') ?? '' }
    const errors = await createSpace(contextFor(actor), values)
    if (errors === null) return askToSignIn(res, session.query, request)
    if (errors.length === 0) return askForConsent(res, session, 200, { subdomain: values.subdomain.trim() })
    const { length } = await spacesOf(contextFor(actor))
    await askForSpace(res, session, { canGoBack: length > 0, values, errors })
  })

  const handleErrors: ErrorRequestHandler = (error: unknown, _req, res, next) => {
    // The form parser sets a 4xx status on errors that the sender caused.
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
