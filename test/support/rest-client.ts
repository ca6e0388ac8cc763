import type { ProblemBody } from '../../routers/api/problem.ts'

/** A JSON body of unknown type. */
export interface Body extends Partial<ProblemBody> {
  readonly [field: string]: unknown
}

/** A response with its parsed JSON body, which is an empty object if there is none. */
export interface RestResponse<T = Body> {
  status: number
  headers: Headers
  body: T
}

/** Sends REST requests with one credential. */
export interface RestClient {
  get<T = Body>(path: string): Promise<RestResponse<T>>
  post<T = Body>(path: string, body?: unknown): Promise<RestResponse<T>>
  put<T = Body>(path: string, body?: unknown): Promise<RestResponse<T>>
  patch<T = Body>(path: string, body?: unknown): Promise<RestResponse<T>>
  delete<T = Body>(path: string): Promise<RestResponse<T>>
  /** Sends any request; `body` is sent unchanged. */
  send<T = Body>(path: string, init: RequestInit): Promise<RestResponse<T>>
}

/**
 * Creates a client.
 *
 * @param base the URL that paths are appended to
 */
export const restClient = (base: string, secret?: string): RestClient => {
  const send = async <T>(path: string, init: RequestInit): Promise<RestResponse<T>> => {
    const headers = new Headers(init.headers)
    // Open a new connection per request: on a busy machine, the server could close an idle connection just when it is
    // reused.
    headers.set('connection', 'close')
    if (secret !== undefined && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${secret}`)
    const response = await fetch(base + path, { ...init, headers, redirect: 'manual' })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' || !isJson ? {} : JSON.parse(text)) as T,
    }
  }
  const withBody =
    (method: string) =>
    <T>(path: string, body?: unknown) =>
      send<T>(path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
  return {
    get: path => send(path, { method: 'GET' }),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: path => send(path, { method: 'DELETE' }),
    send,
  }
}
