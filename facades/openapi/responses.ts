import { type ErrorCode, errors } from '../../routers/core/errors.ts'
import { fieldErrors, Problem, problemBody } from '../../routers/core/problem.ts'
import type { Operation } from '../operations.ts'
import type { Example, Header, Reference, Response } from './document.ts'
import { codesOf } from './failures.ts'
import { problemWith } from './problem-schema.ts'
import { bullets, pascal } from './words.ts'

const PROBLEM = 'application/problem+json'

const reference = (kind: string, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })

const count = (description: string, example: number, minimum = 0): Header => ({
  description,
  required: true,
  schema: { type: 'integer', minimum },
  example,
})

/** Headers that answers carry (contract: general conventions, 11; "Errors"). */
export const headers = (callsPerMinute: number): Record<string, Header> => ({
  'RateLimit-Limit': count('Calls that the credential has in a window of 60 seconds', callsPerMinute, 1),
  'RateLimit-Remaining': count('Calls that are left in this window', callsPerMinute - 1),
  'RateLimit-Reset': count('Seconds until the window ends', 60, 1),
  'Retry-After': count('Seconds to wait before the next call', 17, 1),
  'WWW-Authenticate': {
    description: 'The kind of credential that is missing',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
})

const RATE = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

const withHeaders = (names: string[]) =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map(name => [name, reference('headers', name)])) }

/** The answer of an operation that did what it was asked; 204 goes without a body. */
export const success = (status: number, content: Response['content']): Response => ({
  description: { 200: 'Done', 201: 'Created', 204: 'Done; there is no body' }[status] ?? 'Done',
  ...withHeaders(RATE),
  ...(status === 204 || !content ? {} : { content }),
})

/** The codes of an operation by status. */
const byStatus = (codes: ErrorCode[]): Map<number, ErrorCode[]> =>
  Map.groupBy(
    codes.toSorted((a, b) => errors[a].status - errors[b].status),
    code => errors[code].status,
  )

/** The name under which operations share the response of some codes. */
const nameOf = (codes: ErrorCode[]) => codes.map(pascal).join('Or')

/** An operation's failures by status. Refused input is its own; the others are shared. */
export const failures = (operation: Operation, docsUrl: string): Record<string, Response | Reference> =>
  Object.fromEntries(
    [...byStatus(codesOf(operation))].map(([status, codes]) => [
      status,
      codes.includes('validation_failed')
        ? failure(codes, { validation_failed: refusalExample(operation, docsUrl) })
        : reference('responses', nameOf(codes)),
    ]),
  )

/** The responses that operations share. */
export const sharedFailures = (operations: Operation[]): Record<string, Response> =>
  Object.fromEntries(
    operations
      .flatMap(operation => [...byStatus(codesOf(operation)).values()])
      .filter(codes => !codes.includes('validation_failed'))
      .map(codes => [
        nameOf(codes),
        failure(codes, Object.fromEntries(codes.map(code => [code, reference('examples', code)]))),
      ]),
  )

/** An example of each shared failure, by code. */
export const examples = (codes: readonly ErrorCode[], docsUrl: string): Record<string, Example> =>
  Object.fromEntries(
    codes
      .filter(code => code !== 'validation_failed')
      .map(code => [code, example(new Problem(code, SAMPLES[code]), docsUrl)]),
  )

/** What a request of the example could bring with it. */
const SAMPLES: Partial<Record<ErrorCode, { detail: string }>> = {
  rate_limited: { detail: 'All calls of this minute are used up; wait 17 s.' },
}

const example = (problem: Problem, docsUrl: string): Example => ({
  summary: errors[problem.problem].title,
  value: problemBody(problem, docsUrl, '5d8c0c1e-7f0b-4c5e-9a53-1f2f6f3f8d11'),
})

/** What the operation itself says of a body that lacks everything and has a field it does not know. */
const refusalExample = (operation: Operation, docsUrl: string): Example => {
  const path = Object.fromEntries(
    operation.pathParameters.map(name => [name, operation.input.shape[name]?.meta()?.examples?.[0]]),
  )
  const { error } = operation.input.safeParse({ ...path, colour: 'red' })
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
    ]),
    content: { [PROBLEM]: { schema: problemWith(codes), examples } },
  }
}

const describeCodes = (codes: ErrorCode[]) => {
  const lines = codes.map(code => `\`${code}\`: ${errors[code].title}. ${errors[code].explanation}`)
  return lines.length === 1 ? lines[0]! : bullets(lines)
}
