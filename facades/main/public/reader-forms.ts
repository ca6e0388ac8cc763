import {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import type { RouteParameters } from 'express-serve-static-core'
import { callerOf, type SessionActor } from '../../../routers/api/actor.ts'
import type { Context } from '../../../routers/api/context.ts'
import { errors } from '../../../routers/api/errors.ts'
import { html, type Markup } from '../../../routers/api/html.ts'
import { type Problem, problemOf } from '../../../routers/api/problem.ts'
import { countCalls } from '../../../routers/api/refusals.ts'
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
import { FORM, formOf } from '../../http/form.ts'
import { signInCookies } from '../../http/sign-in-cookies.ts'
import { refusedPage } from './layout.ts'

const callerFor = createCallerFactory(
  routerOf({ comments, discussions, follows, likes, mutes, reports, suspensions }),
)

/** Dependencies of the public pages. */
export interface PublicPagesOptions {
  authenticate: (sessionToken: string | undefined) => Promise<SessionActor | null>
  contextFor: (actor: SessionActor | null) => Context
  referenceOf: (req: Request) => string
}

/** Sends a page. `isPersonal` keeps it out of shared caches. */
export type SendPage = (res: Response, text: string, isPersonal: boolean) => void

/** A request of a signed-in reader. */
interface ReaderRequest<Params> {
  req: Request
  params: Params
  res: Response
  next: NextFunction
  reader: SessionActor
  /** The fields that were sent; empty for a page. */
  form: URLSearchParams
  /** Counts the call toward the reader's rate limit, and returns the procedures. @throws `rate_limited` */
  procedures: () => Promise<ReturnType<typeof callerFor>>
}

type HandleReader<Params> = (request: ReaderRequest<Params>) => Promise<void>

/**
 * Returns a list's cursor from the query, or null for the first page. A repeated parameter becomes an invalid cursor.
 */
export const cursorOf = ({ query }: Pick<Request, 'query'>, name = 'before'): string | null => {
  const cursor = query[name]
  if (cursor === undefined) return null
  return typeof cursor === 'string' ? cursor : ''
}

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
    await countCalls(core.dashboardCalls.accounts, context, callerOf(reader))
    return callerFor(context)
  }

  /**
   * A router for pages and forms of signed-in readers. Everyone else is asked to sign in first, and comes back to the
   * post or profile.
   */
  const readerRouter = () => {
    const router = Router({ caseSensitive: true, strict: true })
    const asReader =
      <Params>(handle: HandleReader<Params>): RequestHandler =>
      async (req, res, next) => {
        const reader = await readerOf(req, res)
        const call = { req, params: req.params as Params, res, next, form: formOf(req) }
        if (reader) return handle({ ...call, reader, procedures: () => procedures(req, reader) })
        const { id, handle: person } = req.params as Record<string, string>
        const page = person === undefined ? req.path.slice(1) : `@${person}`
        const back = id === undefined ? `page=${encodeURIComponent(page)}` : `post=${id}`
        res.redirect(303, `${base}/admin/sign-in?${back}`)
      }
    return {
      router,
      get: <Path extends string>(path: Path, handle: HandleReader<RouteParameters<Path>>) =>
        router.get(path as string, asReader(handle)),
      post: <Path extends string>(path: Path, handle: HandleReader<RouteParameters<Path>>) =>
        router.post(path as string, FORM, asReader(handle)),
    }
  }

  const pathOf = (id: string) => `${base}/posts/${id}`

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
    refuse(res, statusOf(problem), title, html`${sentenceFor(problem, 'Your input') ?? explanation}`)
  }

  return {
    core,
    base,
    pathOf,
    /** Path of the page that has the form that follows or mutes a person: the post's, or the profile. */
    backTo: (handle: string, post: string | null = null, part = '') =>
      post === null ? `${base}/@${encodeURIComponent(handle)}` : pathOf(encodeURIComponent(post)) + part,
    readerOf,
    procedures,
    readerRouter,
    refuseCrossSite,
    handleErrors,
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

export const statusOf = ({ problem }: Problem): number => errors[problem].status

/**
 * Returns the status of a problem that is about the submitted text, and a sentence that says why it was not accepted.
 *
 * @throws every other error
 */
export const refusalOf = (error: unknown, subject: string) => {
  const problem = problemOf(error)
  const sentence = sentenceFor(problem, subject)
  if (sentence === null) throw error
  return { status: statusOf(problem), sentence, retryAfter: problem.circumstances.retryAfter }
}
