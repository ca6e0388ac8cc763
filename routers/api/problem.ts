import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { isDatabaseUnavailable } from '../../db/errors.ts'
import { FileStoreError } from '../../db/file-store/objects.ts'
import { callerRefusal, type Refusal } from '../../db/queries/caller-checks.ts'
import { type ErrorCode, errors } from './errors.ts'

/** One broken rule: the dotted path of the field (`$` for the whole body) and a message. */
export interface FieldError {
  field: string
  message: string
}

/** tRPC's names for the statuses in the error table. */
const TRPC_CODES = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const

interface Circumstances {
  /** Explanation specific to this request. */
  detail?: string
  /** The broken rules; only for `validation_failed`. */
  errors?: FieldError[]
  /** Whole seconds to wait; only for `rate_limited` and `unavailable`. */
  retryAfter?: number
  /** Methods that the path supports; only for `method_not_allowed`. */
  allow?: string[]
  cause?: unknown
}

/** An error for callers. Each facade converts it to its own format. */
export class Problem extends TRPCError {
  readonly problem: ErrorCode
  readonly circumstances: Circumstances

  constructor(problem: ErrorCode, circumstances: Circumstances = {}) {
    super({
      code: TRPC_CODES[errors[problem].status],
      message: circumstances.detail ?? errors[problem].title,
      cause: circumstances.cause,
    })
    this.name = 'Problem'
    this.problem = problem
    this.circumstances = circumstances
  }
}

/** Creates a `validation_failed` problem for a single field. */
export const invalid = (field: string, message: string) =>
  new Problem('validation_failed', { errors: [{ field, message }] })

/** Creates the problem for a caller that a check refused. @see callerRefusal */
const refusedCaller = ({ code, reason }: Refusal) =>
  new Problem(code as ErrorCode, reason === undefined ? {} : { detail: suspendedDetail(reason) })

/** Says why a suspended account cannot do something. */
export const suspendedDetail = (reason: string): string =>
  `The account is suspended, so it cannot do this. Reason: ${reason}`

/** `Retry-After` of an `unavailable` response, in seconds. */
const RETRY_SECONDS = 2

/** Creates an `unavailable` problem. @param reason a sentence for the caller */
export const unavailable = (reason: string, cause?: unknown) =>
  new Problem('unavailable', {
    detail: `${reason} Retry in ${RETRY_SECONDS} s.`,
    retryAfter: RETRY_SECONDS,
    cause,
  })

/**
 * Converts any error to a `Problem`. Zod errors become `validation_failed` with every broken rule; errors that are not
 * meant for callers become `internal_error` with the original as its cause.
 */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  const cause = error instanceof TRPCError ? error.cause : error
  if (isDatabaseUnavailable(cause)) return unavailable('The database does not respond.', error)
  if (cause instanceof FileStoreError) return unavailable(cause.message, error)
  const refusal = callerRefusal(cause)
  if (refusal) return refusedCaller(refusal)
  if (error instanceof TRPCError) {
    if (error.cause instanceof Problem) return error.cause
    if (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError)
      return new Problem('validation_failed', { errors: fieldErrors(error.cause) })
    if (error.code === 'PARSE_ERROR' || error.code === 'BAD_REQUEST')
      return new Problem('invalid_json', { cause: error })
    if (error.code === 'NOT_FOUND') return new Problem('not_found', { cause: error })
    if (error.code === 'METHOD_NOT_SUPPORTED') return new Problem('method_not_allowed', { cause: error })
    if (error.code === 'UNSUPPORTED_MEDIA_TYPE')
      return new Problem('unsupported_media_type', { cause: error })
    if (error.code === 'PAYLOAD_TOO_LARGE') return new Problem('payload_too_large', { cause: error })
  }
  return new Problem('internal_error', { cause: error })
}

export const unknownField = (field: string): FieldError => ({
  field,
  message: 'is not a field of this operation',
})

/** Converts Zod issues to field errors. An unknown field is reported under its own name. */
export const fieldErrors = (error: ZodError): FieldError[] =>
  error.issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(key => unknownField([...issue.path, key].join('.')))
      : [{ field: issue.path.join('.') || '$', message: issue.message }],
  )

/** The body of an error response (RFC 9457; contract: "Errors"). */
export interface ProblemBody {
  type: string
  title: string
  status: number
  code: ErrorCode
  detail?: string
  errors?: FieldError[]
}

/**
 * Returns the error object that every facade sends.
 *
 * @param docsUrl address of the API reference, which has an anchor for each code
 * @param reference id of the request in the log; only used for `internal_error`
 */
export const problemBody = (problem: Problem, docsUrl: string, reference?: string): ProblemBody => {
  const { status, title } = errors[problem.problem]
  const detail =
    problem.problem === 'internal_error'
      ? `Reference ${reference ?? 'unknown'}`
      : problem.circumstances.detail
  return {
    type: `${docsUrl}#error-${problem.problem}`,
    title,
    status,
    code: problem.problem,
    ...(detail === undefined ? {} : { detail }),
    ...(problem.circumstances.errors ? { errors: problem.circumstances.errors } : {}),
  }
}

/**
 * Refuses to create another resource when a limit is reached.
 *
 * @param isFull whether the limit is reached; read it under the lock of the owner
 * @param detail names the limit: "A space can have at most 5000 pages."
 * @throws `limit_reached`
 */
export const refuseIfFull = (isFull: boolean, detail: string): void => {
  if (isFull) throw new Problem('limit_reached', { detail })
}
