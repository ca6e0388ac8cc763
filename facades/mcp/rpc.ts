/** Codes of JSON-RPC and of the Model Context Protocol. */
export const codes = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** The request was refused before its message was looked at; `data` is the problem as REST tells it. */
  refused: -32_000,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const

/** A request that is answered with a JSON-RPC error. */
export class RpcError extends Error {
  readonly code: number
  readonly status: number
  readonly data: unknown
  readonly headers: Record<string, string>

  /**
   * @param status of the HTTP answer
   * @param data what a program needs to know of it
   */
  constructor(
    code: number,
    message: string,
    {
      status = 400,
      data,
      headers = {},
    }: { status?: number; data?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.status = status
    this.data = data
    this.headers = headers
  }
}

export type Id = string | number

/** A message that expects an answer. */
export interface Request {
  jsonrpc: '2.0'
  id: Id
  method: string
  params: Record<string, unknown>
}

/** What is answered: a status and the text of the body, none where there is nothing to say. */
export interface Reply {
  status: number
  text: string | null
}

/** A message that expects nothing, or answers something, is taken note of and no more. */
export const ACCEPTED: Reply = { status: 202, text: null }

/** @param result of the call as JSON text, so that what is prepared need not be written anew */
export const succeeded = (id: Id, result: string): Reply => ({
  status: 200,
  text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`,
})

export const failed = (id: Id | null, { status, code, message, data }: RpcError): Reply => ({
  status,
  text: JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message, ...(data === undefined ? {} : { data }) },
  }),
})

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The request that a body holds; null for a notification or an answer, to which nothing is answered.
 *
 * @throws RpcError when it is no single JSON-RPC message
 */
export const requestFrom = (body: unknown): Request | null => {
  if (Array.isArray(body))
    throw new RpcError(codes.invalidRequest, 'Send one message at a time: batches are not taken')
  if (!isObject(body) || body.jsonrpc !== '2.0')
    throw new RpcError(codes.invalidRequest, 'The body must be a JSON-RPC 2.0 message')
  const { id, method, params = {} } = body
  if (method === undefined && id !== undefined && ('result' in body || 'error' in body)) return null
  if (typeof method !== 'string')
    throw new RpcError(codes.invalidRequest, 'A message needs a method, which is a string')
  if (id === undefined) return null
  if (typeof id !== 'string' && !Number.isSafeInteger(id))
    throw new RpcError(codes.invalidRequest, 'The id must be a string or an integer')
  if (!isObject(params)) throw new RpcError(codes.invalidParams, 'params must be an object')
  return { jsonrpc: '2.0', id: id as Id, method, params }
}
