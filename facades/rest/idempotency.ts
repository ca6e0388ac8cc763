import { createHash, type Hash } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { RateState } from '../../routers/api/context.ts'
import { invalid, type Problem, problemBody } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import { KeptAnswer } from '../../routers/api/safe-retries.ts'
import { sendPrivate } from '../http/send-private.ts'
import type { Operation } from '../operations/list.ts'

/** A string of a structured header (RFC 9651), and the same without quotation marks, as many programs send it. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/
const BARE = /^[!#-~]+$/

/**
 * Returns the key in an `Idempotency-Key` header.
 *
 * @throws `validation_failed`
 */
export const keyFrom = (header: string): string => {
  const key = QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, '$1') ?? BARE.exec(header)?.[0] ?? ''
  if (key.length === 0 || key.length > limits.idempotencyKey)
    throw invalid(
      'Idempotency-Key',
      `must be a header with 1 to ${limits.idempotencyKey} visible ASCII characters, in quotation marks if it has spaces`,
    )
  return key
}

/** Begins the digest of a request: what decides what the operation does, apart from the body, which is added later. */
export const beginDigest = (
  { method, path: template }: Operation,
  path: Record<string, string>,
  headers: IncomingHttpHeaders,
): Hash =>
  createHash('sha256').update(
    `${JSON.stringify([method, template, path, headers['if-match'], headers['if-none-match']])}\n`,
  )

/** The answer with an error. */
export const refusalOf = (problem: Problem, docsUrl: string): KeptAnswer => {
  const body = problemBody(problem, docsUrl)
  return new KeptAnswer({ status: body.status, headers: {}, body: JSON.stringify(body) })
}

/** Sends the answer to an earlier call with the same key. */
export const sendKept = (
  res: ServerResponse,
  { status, headers, body: text }: KeptAnswer,
  rate: RateState | undefined,
): void => {
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8'
  sendPrivate(
    res,
    { status, rate, headers: { ...headers, 'Idempotency-Replayed': 'true' }, body: { type, text } },
    false,
  )
}
