import { type ErrorCode, errors } from '../../routers/api/errors.ts'
import { fieldErrors, Problem, problemBody } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import { locator, type Operation, sendsTag } from '../operations/list.ts'
import type { Example, Header, Parameter, Reference, Response } from './document.ts'
import { errorCodesOf } from './error-codes.ts'
import { bullets, pascal } from './format.ts'
import { problemWith } from './problem-schema.ts'

const PROBLEM = 'application/problem+json'

const reference = (kind: string, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })

const count = (description: string, example: number, minimum = 0): Header => ({
  description,
  required: true,
  schema: { type: 'integer', minimum },
  example,
})

/** An example of an `ETag`. Clients only compare it. */
const TAG_EXAMPLE = '"mk2f8r1c"'

const TAG: Header = {
  description: 'Identifies this version, for `If-Match`',
  required: true,
  schema: { type: 'string', pattern: '^"[^"]+"$' },
  example: TAG_EXAMPLE,
}

const LOCATION: Header = {
  description: 'The address at which what was created can be read',
  required: true,
  schema: { type: 'string', format: 'uri' },
  example: 'https://api.example/v1/spaces/garden/pages/k3v9x2m7q4t8w5z6',
}

const TEMPLATE_ERROR: Header = {
  description:
    'Sent if a body with `render`, `include` or `layout` was saved, but will show an error: it is not valid Liquid (`syntax`), or names a part that does not exist (`missing_part`). Other errors appear only when a page is opened',
  required: false,
  schema: { type: 'string', enum: ['syntax', 'missing_part'] },
  example: 'syntax',
}

const LINK: Header = {
  description: 'Sent if the list goes on: the address of what follows',
  required: false,
  schema: { type: 'string' },
  example: '<https://api.example/v1/posts/p4m8s2k7d3g9z6q5/comments?after=1775035800000-17>; rel="next"',
}

const REPLAYED: Header = {
  description: 'Sent if this is the answer to an earlier call with the same `Idempotency-Key`',
  required: false,
  schema: { type: 'string', const: 'true' },
  example: 'true',
}

/** Whether an operation creates something that another operation reads. */
const isLocated = (operation: Operation, operations: readonly Operation[]): boolean =>
  locator(operations)(operation, {}, { id: '' }) !== undefined

/** Whether an operation saves a template. */
const savesTemplate = ({ meta, input }: Operation): boolean => meta.api === 'space' && 'html' in input.shape

/** Whether an operation keeps its answer for a call with an `Idempotency-Key`. */
const keepsAnswers = ({ method }: Operation): boolean => method === 'POST'

/** Response headers (contract: general conventions, 11; "Errors"). */
export const headers = (callsPerMinute: number, operations: Operation[]): Record<string, Header> => ({
  'RateLimit-Limit': count('Calls that the credential can make in a window of 60 seconds', callsPerMinute, 1),
  'RateLimit-Remaining': count('Calls left in this window', callsPerMinute - 1),
  'RateLimit-Reset': count('Seconds until the window ends', 60, 1),
  ...(operations.some(sendsTag) ? { ETag: TAG } : {}),
  ...(operations.some(operation => isLocated(operation, operations)) ? { Location: LOCATION } : {}),
  ...(operations.some(({ meta }) => meta.sendsNext) ? { Link: LINK } : {}),
  ...(operations.some(savesTemplate) ? { 'X-Template-Error': TEMPLATE_ERROR } : {}),
  ...(operations.some(keepsAnswers) ? { 'Idempotency-Replayed': REPLAYED } : {}),
  'X-Request-Id': {
    description:
      'The reference of the call, which is in the log of the service. Name it if you report a problem',
    required: true,
    schema: { type: 'string' },
    example: 'k3v9mq2xw7ab5r8t',
  },
  'Retry-After': count('Seconds to wait before the next call', 17, 1),
  'WWW-Authenticate': {
    description: 'The kind of credential that is required',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
})

const RATE = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

const withHeaders = (names: string[]) => ({
  headers: Object.fromEntries([...names, 'X-Request-Id'].map(name => [name, reference('headers', name)])),
})

/** What each conditional request header does. */
const CONDITIONS = {
  'If-Match':
    'Write only if one of these tags is the current `ETag`; `*` matches any version. Weak tags never match',
  'If-None-Match':
    'Write only if none of these tags is the current `ETag`; `*` writes only if nothing exists yet',
} as const

/** Returns the conditional request headers of an operation. */
export const conditionParameters = ({ method, meta: { conditional = [] } }: Operation): Parameter[] =>
  conditional.map(name => {
    const description =
      method === 'GET' ? 'Return 304 if one of these tags is the current `ETag`' : CONDITIONS[name]
    const schema = { type: 'string', description, examples: [TAG_EXAMPLE] }
    return { in: 'header', name, required: false, description, schema }
  })

/** Returns the header with which a call of an operation can be repeated safely. */
export const keyParameters = (operation: Operation): Parameter[] => {
  if (!keepsAnswers(operation)) return []
  const description = `A new random text for each new request, such as a UUID. The same call with the same key gets the first answer again, for ${limits.keptAnswerHours} hours, and has no further effect`
  const schema = { type: 'string', description, examples: ['"8f14e45f-ceea-467f-a0e6-1c2b3d4e5f60"'] }
  return [{ in: 'header', name: 'Idempotency-Key', required: false, description, schema }]
}

/**
 * Returns the success response of an operation; a 204 has no body.
 *
 * @param operations all operations of the API
 */
export const success = (
  operation: Operation,
  content: Response['content'],
  operations: readonly Operation[],
): Response => {
  const { status = 200 } = operation.meta
  return {
    description: { 200: 'OK', 201: 'Created', 204: 'Done; the response has no body' }[status] ?? 'OK',
    ...withHeaders([
      ...RATE,
      ...(sendsTag(operation) ? ['ETag'] : []),
      ...(isLocated(operation, operations) ? ['Location'] : []),
      ...(operation.meta.sendsNext ? ['Link'] : []),
      ...(savesTemplate(operation) ? ['X-Template-Error'] : []),
      ...(keepsAnswers(operation) ? ['Idempotency-Replayed'] : []),
    ]),
    ...(status === 204 || !content ? {} : { content }),
  }
}

/** Returns the 304 of a read that accepts `If-None-Match`. */
export const notModified = ({ method, meta }: Operation): Record<string, Response> =>
  method === 'GET' && meta.conditional?.includes('If-None-Match')
    ? { 304: { description: 'The caller has the current version', ...withHeaders([...RATE, 'ETag']) } }
    : {}

/** Groups the codes of an operation by status. */
const byStatus = (codes: ErrorCode[]): Map<number, ErrorCode[]> =>
  Map.groupBy(
    codes.toSorted((a, b) => errors[a].status - errors[b].status),
    code => errors[code].status,
  )

/** Name of the shared response for some codes. */
const nameOf = (codes: ErrorCode[]) => codes.map(pascal).join('Or')

const sharedExamples = (codes: readonly ErrorCode[]): Record<string, Reference> =>
  Object.fromEntries(codes.map(code => [code, reference('examples', code)]))

/**
 * Returns the error responses of an operation by status. Only `validation_failed` is specific to the operation; the
 * rest are shared.
 */
export const failures = (operation: Operation, docsUrl: string): Record<string, Response | Reference> =>
  Object.fromEntries(
    [...byStatus(errorCodesOf(operation))].map(([status, codes]) => [
      status,
      codes.includes('validation_failed')
        ? failure(codes, { ...sharedExamples(codes), validation_failed: refusalExample(operation, docsUrl) })
        : reference('responses', nameOf(codes)),
    ]),
  )

/** Error responses that operations share. */
export const sharedFailures = (operations: Operation[]): Record<string, Response> =>
  Object.fromEntries(
    operations
      .flatMap(operation => [...byStatus(errorCodesOf(operation)).values()])
      .filter(codes => !codes.includes('validation_failed'))
      .map(codes => [nameOf(codes), failure(codes, sharedExamples(codes))]),
  )

/** An example of each shared error, by code. */
export const examples = (codes: readonly ErrorCode[], docsUrl: string): Record<string, Example> =>
  Object.fromEntries(
    codes
      .filter(code => code !== 'validation_failed')
      .map(code => [code, example(new Problem(code, SAMPLES[code]), docsUrl)]),
  )

/** For some codes, the `detail` of the example. It shows real values, such as the seconds to wait. */
const SAMPLES: Partial<Record<ErrorCode, { detail: string }>> = {
  rate_limited: { detail: 'All 60 calls per minute are used up; wait 17 s.' },
  unavailable: { detail: 'The database does not respond. Retry in 2 s.' },
}

const example = (problem: Problem, docsUrl: string): Example => ({
  summary: errors[problem.problem].title,
  value: problemBody(problem, docsUrl, 'k3v9mq2xw7ab5r8t'),
})

/**
 * Returns an example of `validation_failed`. The example is the operation's actual response to a body with one field,
 * `color`, or to `red` as its query parameter. No operation has this field.
 */
const refusalExample = (operation: Operation, docsUrl: string): Example => {
  const path = Object.fromEntries(
    operation.pathParameters.map(name => [name, operation.input.shape[name]?.meta()?.examples?.[0]]),
  )
  const [parameter = 'color'] = operation.queryParameters
  const { error } = operation.input.safeParse({ ...path, [parameter]: 'red' })
  const problem = new Problem('validation_failed', error ? { errors: fieldErrors(error) } : {})
  return example(problem, docsUrl)
}

const failure = (codes: ErrorCode[], examples: Record<string, Example | Reference>): Response => {
  const { status } = errors[codes[0]!]
  return {
    description: describeCodes(codes),
    ...withHeaders([
      ...(status === 401 ? ['WWW-Authenticate'] : []),
      ...(status === 429 ? ['Retry-After', ...RATE] : []),
      ...(status === 503 ? ['Retry-After'] : []),
    ]),
    content: { [PROBLEM]: { schema: problemWith(codes), examples } },
  }
}

const describeCodes = (codes: ErrorCode[]) => {
  const lines = codes.map(code => `\`${code}\`: ${errors[code].title}. ${errors[code].explanation}`)
  return lines.length === 1 ? lines[0]! : bullets(lines)
}
