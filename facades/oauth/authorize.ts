import { createHmac, timingSafeEqual } from 'node:crypto'
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { accounts } from '../../routers/accounts/router.ts'
import { sessions } from '../../routers/accounts/sessions/router.ts'
import type { SessionActor } from '../../routers/core/actor.ts'
import type { Context } from '../../routers/core/context.ts'
import { type Problem, problemOf } from '../../routers/core/problem.ts'
import { createCallerFactory } from '../../routers/core/trpc.ts'
import type { ResourceKind } from '../../routers/credentials/oauth/addresses.ts'
import { approve, canApprove } from '../../routers/credentials/oauth/consent.ts'
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
import { newSpacePage } from './new-space-page.ts'
import { consentPage, invalidRequestPage, refusedPage } from './pages.ts'
import { signInPage, statusOf } from './sign-in-page.ts'
import { createSpace, type NewSpace, type SpaceError, siteNaming, spacesOf } from './space-choice.ts'

/** Dependencies of the pages. */
export interface AuthorizeOptions {
  authenticate: (sessionToken: string | undefined) => Promise<SessionActor | null>
  contextFor: (actor: SessionActor | null) => Context
  /** The scopes that the tools for each kind of resource need. The consent page opens with only these selected. */
  toolScopes: Record<ResourceKind, readonly string[]>
}

const callAccounts = createCallerFactory(accounts)
const callSessions = createCallerFactory(sessions)

/** Maximum length of an authorization request, in characters. */
const MAX_LENGTH = 8192

/**
 * The pages on which a person decides whether a client may act for them: sign-in if needed, then consent. They work
 * without JavaScript. Each form carries the client's request, which is checked again on every step.
 */
export const authorizePages = ({ authenticate, contextFor, toolScopes }: AuthorizeOptions): Router => {
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

  const denial = (request: AuthorizationRequest) =>
    errorRedirect(core, request, new OauthError('access_denied', 'The person denied the request'))

  /** @param actor the session of a signed-in person who has to confirm their identity; null if nobody is signed in */
  const askToSignIn = async (
    res: Response,
    query: string,
    request: AuthorizationRequest,
    { actor = null, problem }: { actor?: SessionActor | null; problem?: Problem } = {},
  ) => {
    const account = actor && (await callAccounts(contextFor(actor)).me())
    const page = signInPage({
      base,
      query,
      request,
      cancel: denial(request),
      problem: problem ?? null,
      account: account && { handle: account.handle, hasPassword: account.has_password },
    })
    send(res, problem ? statusOf(problem) : 200, page, request.redirectUri)
  }

  /** An authorization request and the signed-in person who decides about it. */
  interface Session {
    query: string
    request: AuthorizationRequest
    actor: SessionActor
    proof: string
  }

  const askForConsent = async (
    res: Response,
    { actor, ...shown }: Session,
    status: number,
    form: Pick<Parameters<typeof consentPage>[0], 'error' | 'subdomain'> & { chosen?: string[] } = {},
  ) => {
    const { request } = shown
    const spaces = request.resource === 'space' ? await spacesOf(contextFor(actor)) : null
    if (spaces?.length === 0) return askForSpace(res, { actor, ...shown }, { canGoBack: false })
    const chosen = form.chosen ?? preselected(request)
    const page = consentPage({ base, handle: actor.handle, spaces, ...shown, ...form, chosen })
    send(res, status, page, request.redirectUri)
  }

  const preselected = ({ offered, resource }: AuthorizationRequest): string[] => {
    const used = offered.filter(scope => toolScopes[resource].includes(scope))
    return used.length > 0 ? used : [...offered]
  }

  const askForSpace = async (
    res: Response,
    { actor, ...shown }: Session,
    form: { canGoBack: boolean; values?: NewSpace; errors?: SpaceError[] },
  ) => {
    const { values = { name: '', subdomain: '' }, errors = [] } = form
    const site = await siteNaming(contextFor(actor))
    const page = newSpacePage({ base, site, ...shown, ...form, values, errors })
    send(res, errors.length > 0 ? 422 : 200, page, shown.request.redirectUri)
  }

  /** Checks a form's CSRF token and returns its session, or undefined after asking the person to sign in again. */
  const sessionOf = async (req: Request, res: Response, form: URLSearchParams) => {
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
    redirect(res, `${base}/authorize?${query}`)
  })

  router.post('/oauth/consent', FORM, async (req, res) => {
    const form = formOf(req)
    const session = await sessionOf(req, res, form)
    if (!session) return
    const { query, request, actor } = session
    const decision = form.get('decision')
    if (decision === 'switch') {
      await callSessions({ ...contextFor(actor), ...cookies.contextOf(req, res) }).delete()
      return redirect(res, `${base}/authorize?${query}`)
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
      if (problem === 'space_not_found')
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
