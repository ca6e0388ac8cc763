import { initTRPC, TRPCError, type TRPCProcedureType } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { violatedConstraint } from '../../db/errors.ts'
import { MissingRowError } from '../../db/locks.ts'
import { callerRefusal } from '../../db/queries/caller-checks.ts'
import type { Context } from './context.ts'
import type { ErrorCode } from './errors.ts'
import { Problem, problemBody, problemOf, unavailable } from './problem.ts'
import { noteRefusal } from './refusals.ts'
import { RendererBusyError } from './renderer.ts'
import type { SpaceScope, UserScope } from './scopes.ts'

/** Describes a procedure as a tool. The title of an operation's tool is the summary of the operation. */
export interface ToolMeta {
  name: string
  /** The title of a tool that is not an operation. */
  title?: string
  /** For a model: when to use the tool, what to call first, relevant limits, and what the tool returns. */
  description: string
  /** False if a repeated call changes data again, although its HTTP method is idempotent. */
  isIdempotent?: false
  /** For a writing tool that is not an operation: whether it only adds data, without changing or deleting any. */
  isAdditive?: true
  /** Whether the result can contain text written by other people. */
  isOpenWorld?: true
}

/** The declaration of an operation, apart from its schemas. REST, documents, tools and tests are derived from it. */
export interface Meta extends OpenApiMeta {
  /** The API that the operation belongs to. Absent for procedures that belong to neither API. */
  api?: 'space' | 'user'
  /** The credential needs one of these scopes; empty when any credential is accepted. */
  scopes?: readonly (SpaceScope | UserScope)[]
  /** Set if the credential needs all of `scopes`, not just one of them. */
  needsEveryScope?: true
  /** Success status; 200 by default. A 204 has no body. */
  status?: 200 | 201 | 204
  /** Errors of the operation, except the ones that the rest of the declaration implies. */
  errors?: readonly ErrorCode[]
  /** Maximum size of the request body in bytes, where it differs from the usual limit. */
  bodyLimit?: number
  /** Set if the value of one field of the body decides which other fields it has. */
  variants?: {
    field: string
    /** The value if the field is absent. */
    fallback: string
    /** The fields that depend on the value, for each value. */
    fields: Readonly<Record<string, { required: string; all: readonly string[] }>>
  }
  /**
   * Conditional request headers that the operation documents (RFC 9110). A GET accepts only these; list `If-None-Match`
   * only if the tag changes whenever the response changes. A write with this property checks every precondition. A write
   * without it refuses preconditions.
   */
  conditional?: readonly ('If-Match' | 'If-None-Match')[]
  /** Set if the operation lists only so many items at once, and names the address of the next ones in `Link`. */
  sendsNext?: true
  /** Set if the operation returns the account, whose tag is made of its content. */
  answersAccount?: true
  /** Absent for operations that are not tools. */
  tool?: ToolMeta
  /**
   * Whether suspended accounts cannot call the procedure: set for all that write what other people see on the main site,
   * unless they only delete. Suspended people can read, export and delete their own content, and use the spaces that they
   * share.
   */
  isRefusedWhileSuspended?: true
  /** Set if only owners of a space can call the procedure, and no editors. */
  ownersOnly?: true
}

/**
 * Interval in ms at which a stream of events sends something, so that no proxy on the way closes it, and the client
 * notices when the connection has ended.
 */
export const PING_EVERY = 15_000

const t = initTRPC
  .meta<Meta>()
  .context<Context>()
  .create({
    // Stack traces and internal messages would reveal how the service works.
    isDev: false,
    sse: {
      ping: { enabled: true, intervalMs: PING_EVERY },
      client: { reconnectAfterInactivityMs: 3 * PING_EVERY },
    },
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
 * The error for each violated database constraint. A foreign key is violated when the referenced row was deleted after
 * it had been checked; if that row was the caller's account, the caller's credential no longer exists either.
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
  kept_answers_pkey: 'idempotency_in_progress',
  kept_answers_key_id_foreign: 'unauthorized',
  kept_answers_token_id_foreign: 'unauthorized',
  upload_links_key_id_foreign: 'unauthorized',
  upload_links_issuer_id_foreign: 'unauthorized',
  user_tokens_account_id_foreign: 'sign_in_required',
  presences_participant_id_foreign: 'space_not_found',
  presences_session_token_hash_foreign: 'sign_in_required',
  posts_author_id_foreign: 'unauthorized',
  comments_author_id_foreign: 'unauthorized',
  comments_post_id_foreign: 'post_not_found',
  formatted_comments_comment_id_foreign: 'post_not_found',
  likes_account_id_foreign: 'unauthorized',
  likes_post_id_foreign: 'post_not_found',
  follows_follower_id_foreign: 'sign_in_required',
  follows_followed_id_foreign: 'account_not_found',
  mutes_muter_id_foreign: 'sign_in_required',
  mutes_muted_id_foreign: 'account_not_found',
  drafts_account_id_foreign: 'sign_in_required',
  drafts_space_id_foreign: 'space_not_found',
  domains_space_id_foreign: 'space_not_found',
  domains_verified_unique: 'domain_taken',
  audit_events_account_id_foreign: 'sign_in_required',
  audit_events_space_id_foreign: 'space_not_found',
  reports_post_reporter_unique: 'already_reported',
  reports_comment_reporter_unique: 'already_reported',
  reports_post_id_foreign: 'post_not_found',
  reports_comment_id_foreign: 'comment_not_found',
  reports_reporter_id_foreign: 'sign_in_required',
}

/**
 * For each table: the error of a call that must lock a row of the table, if the row no longer exists. Only callers with
 * a session get these errors.
 */
const MISSING = { spaces: 'space_not_found', accounts: 'sign_in_required' } as const

/**
 * Runs a call, converts its error to the one that callers see, and reports its result and duration if metrics or traces
 * are collected.
 *
 * @param run the rest of the call
 */
export const guarded = async <Result extends { ok: true } | { ok: false; error: TRPCError }>(
  { ctx, path, type }: { ctx: Context; path: string; type: TRPCProcedureType },
  run: () => Promise<Result>,
): Promise<Result> => {
  const { onCall, health } = ctx.core
  const start = performance.now()
  const report = (problem: Problem | null) => {
    onCall?.({ operation: path, code: problem?.problem ?? 'ok', seconds: (performance.now() - start) / 1000 })
    noteUse(ctx, problem)
  }
  try {
    if (type === 'mutation' && !health.isWritable) throw unavailable('The disk is almost full.')
    const result = await run()
    if (!result.ok) throw result.error
    report(null)
    return result
  } catch (error) {
    noteRefusal(ctx, problemOf(error).problem)
    const seen = callersError(error)
    report(problemOf(seen))
    throw seen
  }
}

/**
 * Counts a call of a key or token. A read that started before its credential was checked counts once the credential is
 * confirmed, and not again if it has to be repeated.
 */
const noteUse = ({ core, actor, request, counted, isHolder }: Context, problem: Problem | null): void => {
  if (!actor || !request || counted) return
  if (!isHolder) core.usage.note(actor, request, problem)
  else void isHolder.then(is => is && core.usage.note(actor, request, problem)).catch(() => {})
}

/** Returns the error that the caller of a procedure sees. */
export const callersError = (error: unknown): unknown => {
  const cause = error instanceof TRPCError ? error.cause : error
  const conflict = CONFLICTS[violatedConstraint(cause) ?? '']
  if (conflict) return new Problem(conflict)
  if (cause instanceof MissingRowError) return new Problem(MISSING[cause.table])
  if (callerRefusal(cause)) return problemOf(cause)
  if (cause instanceof RendererBusyError)
    return unavailable('Too many templates are waiting for evaluation.', cause)
  return error instanceof TRPCError && error.code === 'BAD_REQUEST' ? problemOf(error) : error
}

/**
 * The base of all procedures, without middleware. tRPC copies the context for each middleware, so a frequently used
 * base should have only one. For example, `inSpace` extends this base directly, and has a single middleware that checks
 * access and calls {@link guarded}.
 */
export const base = t.procedure

/** Procedures without an access check use this base. Less frequently used bases, such as `signedIn`, extend it. */
export const procedure = base.use(call => guarded(call, () => call.next()))
