import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../../routers/index.ts'

/** A validation error of one field. The field `$` is the input as a whole. */
interface FieldError {
  field: string
  message: string
}

/** Why a call failed, classified by what the person can do about it. */
export interface Failure {
  kind: 'unreachable' | 'signed-out' | 'refused' | 'not-found' | 'invalid' | 'conflict' | 'busy' | 'fault'
  /** The error code of the API; null if there was no response. */
  code: string | null
  title: string
  detail: string | null
  /** Validation errors; empty if there are none. */
  fields: FieldError[]
  /** How long to wait after too many calls, in seconds. */
  retryAfter: number | null
}

const KINDS: Record<number, Failure['kind']> = {
  401: 'signed-out',
  403: 'refused',
  404: 'not-found',
  409: 'conflict',
  412: 'conflict',
  413: 'invalid',
  422: 'invalid',
  429: 'busy',
}

/** Capitalizes the first letter and adds a period. */
const sentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/(?<![.?!…])$/, '.')

/** Codes of a 401 caused by the submitted credentials, not by the session. */
const CREDENTIAL_ERRORS: ReadonlySet<string> = new Set(['sign_in_failed'])

/** The script of a view or dialog could not be loaded, usually because the browser is offline. */
export class ViewLoadError extends Error {}

/** A failure that the dashboard itself explains. */
export class ExplainedError extends Error {
  readonly detail: string

  /** @param title what has failed @param detail what to do */
  constructor(title: string, detail: string) {
    super(title)
    this.detail = detail
  }
}

const none = { code: null, detail: null, fields: [], retryAfter: null }

const unreachable = (): Failure => ({
  ...none,
  kind: 'unreachable',
  title: navigator.onLine ? 'The service is not responding' : 'You are offline',
  detail: navigator.onLine
    ? 'It may be restarting. Nothing you typed is lost. Try again in a moment.'
    : 'Nothing you typed is lost. Try again when you are connected.',
})

/** Classifies an error of a query or mutation. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof ViewLoadError) return unreachable()
  if (error instanceof ExplainedError)
    return { ...none, kind: 'invalid', title: error.message, detail: error.detail }
  if (!(error instanceof TRPCClientError))
    return { ...none, kind: 'fault', title: 'Something went wrong in the dashboard', detail: String(error) }
  const { data } = error as TRPCClientError<AppRouter>
  if (!data?.problem) return unreachable()
  const { problem, retryAfter } = data
  const kind = CREDENTIAL_ERRORS.has(problem.code) ? 'refused' : KINDS[problem.status]
  if (kind === 'signed-out')
    return {
      ...none,
      kind,
      code: problem.code,
      title: 'You are signed out',
      detail: 'Nothing you typed is lost. Sign in again in another tab, then try again here.',
    }
  return {
    kind: kind ?? 'fault',
    code: problem.code,
    title: problem.title,
    detail: problem.detail ?? null,
    fields: (problem.errors ?? []).map(({ field, message }) => ({ field, message: sentence(message) })),
    retryAfter: retryAfter ?? null,
  }
}

/**
 * Groups validation errors by form field. `FormFailure` shows the errors that belong to no field of the form.
 *
 * @param names names of the form's fields
 */
export const fieldErrors = (failure: Failure, names: readonly string[]): Record<string, string> => {
  const errors: Record<string, string> = {}
  for (const { field, message } of failure.fields) {
    const name = names.find(name => field === name || field.startsWith(`${name}.`))
    if (name !== undefined) errors[name] = errors[name] ? `${errors[name]} ${message}` : message
  }
  return errors
}
