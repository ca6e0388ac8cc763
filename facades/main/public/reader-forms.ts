import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { callerOf, type SessionActor } from '../../../routers/api/actor.ts'
import type { Context } from '../../../routers/api/context.ts'
import { errors } from '../../../routers/api/errors.ts'
import { html, type Markup } from '../../../routers/api/html.ts'
import { Problem, problemOf } from '../../../routers/api/problem.ts'
import { noteRefusal } from '../../../routers/api/refusals.ts'
import { createCallerFactory, router as routerOf } from '../../../routers/api/trpc.ts'
import { discussions } from '../../../routers/social/comments/discussions-router.ts'
import { comments } from '../../../routers/social/comments/router.ts'
import { follows } from '../../../routers/social/follows/router.ts'
import { likes } from '../../../routers/social/likes/router.ts'
import { mutes } from '../../../routers/social/mutes/router.ts'
import { reports } from '../../../routers/social/reports/router.ts'
import { suspensions } from '../../../routers/social/suspensions/router.ts'
import { basePath } from '../../http/base-path.ts'
import { isCrossSite } from '../../http/cross-site.ts'
import type { InlineScript } from '../../http/page/inline-script.ts'
import { signInCookies } from '../../http/sign-in-cookies.ts'
import { refusedPage } from './pages.ts'

const callerFor = createCallerFactory(
  routerOf({ comments, discussions, follows, likes, mutes, reports, suspensions }),
)

/** Dependencies of the public pages. */
export interface PublicPagesOptions {
  authenticate: (sessionToken: string | undefined) => Promise<SessionActor | null>
  contextFor: (actor: SessionActor | null) => Context
  referenceOf: (req: Request) => string
}

/** Sends a page. `isPersonal` keeps it out of shared caches; `script` is the only script that may run on it. */
export type SendPage = (res: Response, text: string, isPersonal: boolean, script?: InlineScript) => void

/**
 * Returns what the forms of signed-in readers share. The forms work without scripts and call the dashboard's
 * procedures.
 */
export const readerForms = (
  { authenticate, contextFor, referenceOf }: PublicPagesOptions,
  send: SendPage,
) => {
  const { core } = contextFor(null)
  const { origin } = new URL(core.addresses.apiRoot)
  const base = basePath(core.addresses.apiRoot)
  const cookies = signInCookies(origin)

  const refuse = (res: Response, status: number, title: string, text: Markup) =>
    send(res.status(status), refusedPage(base, title, text), true)

  /** Returns the reader's session, and marks the response as varying by the cookie. */
  const readerOf = (req: Request, res: Response): Promise<SessionActor | null> => {
    res.vary('Cookie')
    return authenticate(cookies.session(req))
  }

  /** Counts a form toward the reader's rate limit, and returns the procedures. @throws `rate_limited` */
  const procedures = async (req: Request, reader: SessionActor) => {
    const context = { ...contextFor(reader), reference: referenceOf(req) }
    const { refused, reset } = await core.dashboardCalls.accounts.consume(callerOf(reader))
    if (!refused) return callerFor(context)
    noteRefusal(context, 'rate_limited')
    throw new Problem('rate_limited', { retryAfter: reset })
  }

  /** Refuses forms from other sites, and from clients that do not say where a form comes from. */
  const refuseCrossSite: RequestHandler = (req, res, next) => {
    const { origin: from, 'sec-fetch-site': site } = req.headers
    if (!isCrossSite(req, origin) && (from !== undefined || site !== undefined)) return next()
    refuse(res, 403, 'Request refused', html`This form was not sent from this site, so nothing was changed.`)
  }

  const handleErrors: ErrorRequestHandler = (error: unknown, req, res, next) => {
    // The form parser sets a 4xx status on errors that the sender caused.
    const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
    if (status < 500)
      return refuse(
        res,
        status,
        'Request refused',
        html`The form is too large or malformed. Go back and shorten it.`,
      )
    const problem = problemOf(error)
    if (req.method !== 'POST' || !isCallersProblem(problem)) return next(error)
    const { retryAfter } = problem.circumstances
    if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter))
    const { title, explanation } = errors[problem.problem]
    refuse(
      res,
      errors[problem.problem].status,
      title,
      html`${sentenceFor(problem, 'Your input') ?? explanation}`,
    )
  }

  return {
    core,
    base,
    pathOf: (id: string) => `${base}/posts/${id}`,
    readerOf,
    procedures,
    refuseCrossSite,
    handleErrors,
    askToSignIn: (res: Response, id: string) => res.redirect(303, `${base}/admin/sign-in?post=${id}`),
    /** Like `askToSignIn`, for pages other than posts: `following`, `@handle`. */
    askToSignInFor: (res: Response, page: string) =>
      res.redirect(303, `${base}/admin/sign-in?page=${encodeURIComponent(page)}`),
  }
}

export type ReaderForms = ReturnType<typeof readerForms>

const isCallersProblem = ({ problem }: Problem) => problem !== 'internal_error' && problem !== 'unavailable'

/**
 * Returns a sentence that says why the submitted text was not accepted, or null for a problem that is not about the
 * text.
 *
 * @param subject what the text is: "Your comment"
 */
export const sentenceFor = (problem: Problem, subject: string): string | null => {
  const { errors: broken = [], retryAfter } = problem.circumstances
  if (problem.problem === 'validation_failed')
    return `${subject} ${broken.map(({ message }) => message).join(' and ')}.`
  if (problem.problem === 'rate_limited') return `You did this too often. Try again in ${retryAfter} s.`
  if (problem.problem === 'limit_reached' || problem.problem === 'account_suspended') return problem.message
  if (problem.problem === 'already_reported') return errors.already_reported.explanation
  return null
}
