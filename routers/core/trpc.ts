import { initTRPC } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { violatedConstraint } from '../../db/constraint-violation.ts'
import { MissingRowError } from '../../db/locks.ts'
import type { Context } from './context.ts'
import type { ErrorCode } from './errors.ts'
import { Problem, problemBody, problemOf, unavailable } from './problem.ts'
import { RendererBusyError } from './renderer.ts'
import type { SpaceScope, UserScope } from './scopes.ts'

/** An operation as agents are offered it. Its title is the operation's summary. */
export interface ToolMeta {
  name: string
  /** For a model: when to use it, what to call first, limits that matter, what comes back. */
  description: string
  /** False where a repeated call changes something again, although its method promises that it does not. */
  isIdempotent?: false
  /** Whether what comes back may be written by anybody. */
  isOpenWorld?: true
}

/** Everything said about an operation beyond its schemas. REST, documents, tools and tests are derived from it. */
export interface Meta extends OpenApiMeta {
  /** The API it belongs to; none for procedures of the screen alone. */
  api?: 'space' | 'user'
  /** Scopes of which the credential needs one; none when any credential will do. */
  scopes?: readonly (SpaceScope | UserScope)[]
  /** Status of success; 200 unless said. 204 goes without a body. */
  status?: 200 | 201 | 204
  /** Failures beyond those that its shape implies. */
  errors?: readonly ErrorCode[]
  /** Most bytes of its body, where that is not the usual limit. */
  bodyLimit?: number
  /** None for what agents are not offered. */
  tool?: ToolMeta
}

const t = initTRPC
  .meta<Meta>()
  .context<Context>()
  .create({
    // A stack or a message of our own making would tell strangers how we are built.
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => {
      const cause = problemOf(error)
      const problem = problemBody(cause, ctx?.core.addresses.docsUrl ?? '', ctx?.reference)
      const { retryAfter } = cause.circumstances
      const data = { ...shape.data, problem, ...(retryAfter === undefined ? {} : { retryAfter }) }
      return { ...shape, message: problem.detail ?? problem.title, data }
    },
  })

export const router = t.router
export const createCallerFactory = t.createCallerFactory

/**
 * Which failure a broken constraint means to the caller. A foreign key is broken by a write to something that
 * was deleted after it had been looked at; when that was the account itself, its credential is gone with it.
 */
export const CONFLICTS: Record<string, ErrorCode> = {
  pages_slug_unique: 'slug_taken',
  parts_name_unique: 'part_name_taken',
  spaces_subdomain_unique: 'subdomain_taken',
  accounts_handle_unique: 'handle_taken',
  participants_space_account_unique: 'already_participant',
  participants_account_id_foreign: 'sign_in_required',
  space_keys_issuer_id_foreign: 'space_not_found',
  invites_inviter_id_foreign: 'space_not_found',
  sessions_account_id_foreign: 'sign_in_failed',
  passkeys_credential_id_unique: 'passkey_registered',
  passkeys_account_id_foreign: 'sign_in_required',
  passkey_challenges_account_id_foreign: 'sign_in_required',
  recovery_codes_account_id_foreign: 'sign_in_required',
  files_uploaded_by_id_foreign: 'unauthorized',
  user_tokens_account_id_foreign: 'sign_in_required',
  posts_author_id_foreign: 'unauthorized',
  comments_author_id_foreign: 'unauthorized',
  comments_post_id_foreign: 'post_not_found',
  likes_account_id_foreign: 'unauthorized',
  likes_post_id_foreign: 'post_not_found',
  reports_post_reporter_unique: 'already_reported',
  reports_post_id_foreign: 'post_not_found',
  reports_reporter_id_foreign: 'sign_in_required',
}

/** Which failure it means to a session that the row to lock was deleted in the meantime. */
const MISSING = { spaces: 'space_not_found', accounts: 'sign_in_required' } as const

/** The base of every procedure: failures leave it as what they mean to the caller. */
export const procedure = t.procedure.use(async ({ ctx, type, next }) => {
  if (type === 'mutation' && !ctx.core.health.isWritable) throw unavailable('The disk is almost full.')
  const result = await next()
  if (result.ok) return result
  const conflict = CONFLICTS[violatedConstraint(result.error.cause) ?? '']
  if (conflict) throw new Problem(conflict)
  if (result.error.cause instanceof MissingRowError) throw new Problem(MISSING[result.error.cause.table])
  if (result.error.cause instanceof RendererBusyError)
    throw unavailable('Too many templates are waiting for evaluation.', result.error.cause)
  throw result.error.code === 'BAD_REQUEST' ? problemOf(result.error) : result.error
})
