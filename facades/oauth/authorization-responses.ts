import type { Response } from 'express'
import { accounts } from '../../routers/accounts/router.ts'
import type { SessionActor } from '../../routers/api/actor.ts'
import type { Context } from '../../routers/api/context.ts'
import type { Problem } from '../../routers/api/problem.ts'
import { createCallerFactory } from '../../routers/api/trpc.ts'
import type { ResourceName } from '../../routers/credentials/oauth/addresses.ts'
import { OauthError } from '../../routers/credentials/oauth/error.ts'
import { type AuthorizationRequest, errorRedirect } from '../../routers/credentials/oauth/request.ts'
import { chosenColorScheme, inColorScheme } from '../http/page/color-scheme.ts'
import { pagePolicy } from '../http/policy.ts'
import { type NewSpace, newSpacePage, type SpaceError, siteNaming, spacesOf } from './new-space-page.ts'
import { consentPage, style } from './pages.ts'
import { signInPage, statusOf } from './sign-in-page.ts'

/** An authorization request and the signed-in person who decides about it. */
export interface Session {
  query: string
  request: AuthorizationRequest
  actor: SessionActor
  /** The CSRF token of the forms. */
  proof: string
}

/** Dependencies of the responses. */
export interface ResponseOptions {
  contextFor: (actor: SessionActor | null) => Context
  /** The scopes that each resource needs. The consent page opens with only these selected. */
  toolScopes: Readonly<Record<ResourceName, readonly string[]>>
}

const callAccounts = createCallerFactory(accounts)

/**
 * Returns functions that respond to the requests of an authorization: with a redirect, or with a page that asks the
 * person to sign in, consent or create a space.
 *
 * @param base base path of the main site
 */
export const authorizationResponses = ({ contextFor, toolScopes }: ResponseOptions, base: string) => {
  const { core } = contextFor(null)

  const send = (res: Response, status: number, page: string, redirectUri?: string) =>
    void res
      .status(status)
      .set(pageHeaders(base, redirectUri))
      .type('html')
      .send(inColorScheme(page, chosenColorScheme(res.req)))

  /** Redirects to exactly this address. Express's own redirect would re-encode some registered addresses. */
  const redirect = (res: Response, location: string) =>
    void res.status(303).set(pageHeaders(base)).set('Location', location).end()

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

  const preselected = ({ offered, server }: AuthorizationRequest): string[] => {
    const used = offered.filter(scope => toolScopes[server].includes(scope))
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

  return { send, redirect, denial, askToSignIn, askForConsent, askForSpace }
}

/**
 * Returns the headers of the pages: no scripts, no framing, no referrer to other origins. There is no
 * `Cross-Origin-Opener-Policy`, because a client may be waiting in the window that opened the page.
 *
 * @param base base path of the main site
 * @param redirectUri where a form on the page may redirect
 */
export const pageHeaders = (base: string, redirectUri?: string) => ({
  'Content-Security-Policy': pagePolicy(style(base), {
    'form-action': `'self'${redirectUri === undefined ? '' : ` ${formTargets(redirectUri)}`}`,
  }),
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  // With `no-referrer`, browsers would send `Origin: null` with our own forms.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
})

/**
 * Returns the `form-action` sources. After a form is sent, Chromium checks every redirect against these sources, so the
 * sources must allow the client's address.
 *
 * - Web and local clients often redirect to another https page, so all of https is allowed for these clients.
 * - CSP sources cannot name IPv6 addresses, so all of http is allowed for a local client with such an address.
 */
const formTargets = (redirectUri: string): string => {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (protocol === 'https:') return 'https:'
  if (protocol === 'http:') return `${hostname.startsWith('[') ? 'http:' : `http://${host}`} https:`
  return protocol
}
