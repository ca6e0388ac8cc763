import type { IncomingMessage, ServerResponse } from 'node:http'
import Negotiator from 'negotiator'
import type { RateState } from '../../routers/api/context.ts'
import { type Problem, problemBody, problemOf } from '../../routers/api/problem.ts'
import { sendPrivate } from '../http/send-private.ts'
import { type JsonPieces, joined } from './result-json.ts'

/** Error codes of JSON-RPC and of the Model Context Protocol. */
export const codes = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** The request was refused before its message was read; `data` is the problem that REST would return. */
  refused: -32_000,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const

/** A JSON-RPC error response. */
export class RpcError extends Error {
  readonly code: number
  readonly status: number
  readonly data: unknown
  readonly headers: Record<string, string>
  /** Id of the request; null when it is unknown. */
  readonly id: Id | null

  /**
   * @param status HTTP status
   * @param data details for programs
   */
  constructor(
    code: number,
    message: string,
    {
      status = 400,
      data,
      headers = {},
      id = null,
    }: { status?: number; data?: unknown; headers?: Record<string, string>; id?: Id | null } = {},
  ) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.status = status
    this.data = data
    this.headers = headers
    this.id = id
  }
}

export type Id = string | number

/** A message that expects a response. */
export interface Request {
  jsonrpc: '2.0'
  id: Id
  method: string
  params: Record<string, unknown>
}

/** An HTTP status and a JSON body. The body is null for a response without one. */
export interface Reply {
  status: number
  body: JsonPieces | null
  headers?: Record<string, string>
}

/** The reply to a message that is not a request: a notification, or a response from the client. */
export const ACCEPTED: Reply = { status: 202, body: null }

/**
 * Creates the reply to a request that succeeded.
 *
 * @param result the result as JSON, so that prepared results need no serialization
 */
export const succeeded = (id: Id, ...result: JsonPieces): Reply => ({
  status: 200,
  body: [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, ...result, '}'],
})

/**
 * Creates the reply to a tool call.
 *
 * @param members the members of the result
 * @param last more members as JSON, with a comma before each
 */
export const called = async (id: Id, members: Promise<JsonPieces>, last = ''): Promise<Reply> =>
  succeeded(id, '{', ...(await members), `${last}}`)

export const failed = (id: Id | null, { status, code, message, data, headers }: RpcError): Reply => ({
  status,
  headers,
  body: [
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      error: { code, message, ...(data === undefined ? {} : { data }) },
    }),
  ],
})

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Parses a request body. Returns null for notifications and responses, which get no response.
 *
 * @throws RpcError when the body is not a single JSON-RPC message
 */
export const requestFrom = (body: unknown): Request | null => {
  if (Array.isArray(body))
    throw new RpcError(codes.invalidRequest, 'Batches are not supported: send one message per request')
  if (!isObject(body) || body.jsonrpc !== '2.0')
    throw new RpcError(codes.invalidRequest, 'The body must be a JSON-RPC 2.0 message')
  const { id, method } = body
  if (method === undefined && id !== undefined && ('result' in body || 'error' in body)) return null
  if (typeof method !== 'string') throw new RpcError(codes.invalidRequest, 'method must be a string')
  if (id === undefined) return null
  if (typeof id !== 'string' && !Number.isSafeInteger(id))
    throw new RpcError(codes.invalidRequest, 'id must be a string or an integer')
  // Some clients send null when there are no parameters.
  const params = body.params ?? {}
  if (!isObject(params)) throw new RpcError(codes.invalidParams, 'params must be an object', { id: id as Id })
  return { jsonrpc: '2.0', id: id as Id, method, params }
}

/**
 * Refuses a list request with a cursor. Every list has one page, so the server never issues a cursor.
 *
 * @throws RpcError −32602
 */
export const refuseCursor = ({ params: { cursor } }: Request): void => {
  if (cursor !== undefined)
    throw new RpcError(codes.invalidParams, 'Unknown cursor: the list has only one page', {
      status: 200,
    })
}

interface ErrorOptions {
  docsUrl: string
  onFault: (error: unknown, reference: string) => void
  /** Id of the request in the log. */
  reference: string
  challenge: Challenge
}

/** What a client needs in order to request a credential (RFC 9728, 5.1). */
export interface Challenge {
  resourceMetadata: string
  /** The scopes that the client should request. */
  scopes: readonly string[]
}

/**
 * Converts an error to a JSON-RPC error whose data is the problem that REST would return. A missing or invalid
 * credential also gets the challenge of RFC 6750, with the metadata address of RFC 9728.
 */
export const rpcErrorOf = (
  error: unknown,
  { docsUrl, onFault, reference, challenge }: ErrorOptions,
): RpcError => {
  if (error instanceof RpcError) return error
  const problem = problemOf(error)
  if (problem.problem === 'internal_error') onFault(problem.cause ?? problem, reference)
  const data = problemBody(problem, docsUrl, reference)
  const code =
    { invalid_json: codes.parse, internal_error: codes.internal }[problem.problem as string] ?? codes.refused
  return new RpcError(code, data.detail ?? data.title, {
    status: data.status,
    data,
    headers: {
      ...(data.status === 401 ? { 'WWW-Authenticate': challengeText(challenge) } : {}),
      ...retryHeaders(problem),
    },
  })
}

/** Returns the header that says when to retry, if the problem names a time. */
export const retryHeaders = ({ circumstances: { retryAfter } }: Problem): Record<string, string> =>
  retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }

const challengeText = ({ resourceMetadata, scopes }: Challenge) =>
  `Bearer resource_metadata="${resourceMetadata}", scope="${scopes.join(' ')}"`

/** The value of the `Accept` header that the protocol requires. */
const ACCEPT = 'application/json, text/event-stream'

/** @throws RpcError unless the client accepts JSON. Without an `Accept` header, it accepts everything. */
export const requireJsonAccepted = (req: IncomingMessage): void => {
  const { accept = '' } = req.headers
  if (accept !== '' && accept !== ACCEPT && !new Negotiator(req).mediaType(['application/json']))
    throw new RpcError(codes.refused, 'The request must accept application/json', { status: 406 })
}

/** Sends a JSON-RPC reply. Compression is safe, because no tool returns a credential. */
export const sendReply = (
  res: ServerResponse,
  { status, body, headers = {} }: Reply,
  rate: RateState | undefined,
): void =>
  sendPrivate(
    res,
    {
      status,
      rate,
      headers,
      body: body && { type: 'application/json', ...joined(body) },
    },
    true,
  )
