import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../../routers/index.ts'

/** A broken rule of one field, as a procedure tells it; `$` is the input as a whole. */
interface FieldFault {
  field: string
  message: string
}

/** Why something did not work, told apart by what a person can do about it. */
export interface Failure {
  kind: 'unreachable' | 'signed-out' | 'refused' | 'not-found' | 'invalid' | 'conflict' | 'busy' | 'fault'
  /** The procedure's error code; null where no procedure answered. */
  code: string | null
  title: string
  detail: string | null
  /** Broken rules, where the input breaks some. */
  fields: FieldFault[]
  /** Whole seconds to wait, where there were too many calls. */
  retryAfter: number | null
}

const KINDS: Record<number, Failure['kind']> = {
  401: 'signed-out',
  403: 'refused',
  404: 'not-found',
  409: 'conflict',
  413: 'invalid',
  422: 'invalid',
  429: 'busy',
}

/** A sentence begins with a capital letter and ends with a full stop. */
const sentence = (words: string) =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(/(?<![.?!…])$/, '.')

/** Codes of a 401 that is about what was typed and not about who is asking. */
const NOT_ABOUT_THE_SESSION: ReadonlySet<string> = new Set(['sign_in_failed'])

/** A view could not be loaded because there is no network. */
export class ViewLoadError extends Error {}

const none = { code: null, detail: null, fields: [], retryAfter: null }

const unreachable = (): Failure => ({
  ...none,
  kind: 'unreachable',
  title: navigator.onLine ? 'The service does not answer' : 'You are offline',
  detail: navigator.onLine
    ? 'It may be starting again. Nothing is lost; try once more in a moment.'
    : 'Nothing is lost; try again when you are connected.',
})

/** What an error of a query or mutation means to the person before the screen. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof ViewLoadError) return unreachable()
  if (!(error instanceof TRPCClientError))
    return { ...none, kind: 'fault', title: 'Something broke in the screen', detail: String(error) }
  const { data } = error as TRPCClientError<AppRouter>
  if (!data?.problem) return unreachable()
  const { problem, retryAfter } = data
  const kind = NOT_ABOUT_THE_SESSION.has(problem.code) ? 'refused' : KINDS[problem.status]
  if (kind === 'signed-out')
    return {
      ...none,
      kind,
      code: problem.code,
      title: 'You are signed out',
      detail: 'Nothing you typed is lost. Sign in in another tab, then try again here.',
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
 * The broken rules as a form shows them: by field. What no field of the form is about is left to the alert above it.
 *
 * @param names the form's fields
 */
export const fieldErrors = (failure: Failure, names: readonly string[]): Record<string, string> => {
  const errors: Record<string, string> = {}
  for (const { field, message } of failure.fields) {
    const name = names.find(name => field === name || field.startsWith(`${name}.`))
    if (name !== undefined) errors[name] = errors[name] ? `${errors[name]} ${message}` : message
  }
  return errors
}
