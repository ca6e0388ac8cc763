import type { ErrorCode, FieldError, SpaceClient, UserClient } from './api.js'

export type * from './api.js'

/** When to send a call again. */
export interface Retry {
  /** How often a call is sent at most; 5 by default. */
  attempts?: number | undefined
  /** How many seconds a call waits at most, all its waits together; 120 by default. */
  seconds?: number | undefined
}

interface ClientOptions {
  /** The address of the service, such as `https://space.example`. */
  url: string
  /**
   * When to send a call again; `false` for never. After a 429, every call is sent again as soon as the service says so. After
   * a 503 or a broken connection, those that can be repeated are: GET, PUT and DELETE, and a POST, which has an
   * `Idempotency-Key`.
   */
  retry?: Retry | false | undefined
  /** Sends the requests; by default the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
}

/**
 * Returns a client of the Space API.
 *
 * @param options the subdomain of the space, and a key for it
 * @throws TypeError if the key is missing, as a variable of the environment can be
 */
export function createClient(options: ClientOptions & { space: string; key: string | undefined }): SpaceClient
/**
 * Returns a client of the User API.
 *
 * @param options the token of an account
 * @throws TypeError if the token is missing
 */
export function createClient(options: ClientOptions & { token: string | undefined }): UserClient

export interface CallOptions {
  /** Ends the call, also while it waits. */
  signal?: AbortSignal | undefined
  /** As for the client. */
  retry?: Retry | false | undefined
}

export interface Conditional {
  /** Write only if nothing was written since this was read: what a call returned, or an `ETag`. */
  ifMatch?: object | string | undefined
  /**
   * For a write, `'*'`: write only if nothing exists yet. For a read, what an earlier call returned: it is returned again if
   * nothing was written since.
   */
  ifNoneMatch?: object | '*' | undefined
}

export interface Repeatable {
  /** By default a new one for each call; it lets the call be sent again without a second effect. */
  idempotencyKey?: string | undefined
}

/** What the service answered instead of a result. */
export class ApiError extends Error {
  /** `unexpected_response` if something between here and the service answered. */
  readonly code: ErrorCode | 'unexpected_response'
  readonly status: number
  readonly title: string
  readonly detail: string | undefined
  /** The broken rules; empty unless `code` is `validation_failed`. */
  readonly errors: readonly FieldError[]
  /** How many seconds to wait, after a 429 or 503. */
  readonly retryAfter: number | undefined
  /** The reference of the call in the log of the service. */
  readonly requestId: string | undefined
}

/** A file as `uploadFile` and `updateFile` take it. */
export interface FileContent {
  name: string
  content: string
  encoding: 'base64'
}

/**
 * Reads a file to upload.
 *
 * @param source a path, the URL of a file, bytes, a `Blob`, or a stream
 * @param name by default the name of the file
 */
export function fileFrom(source: string | URL | File): Promise<FileContent>
export function fileFrom(
  source: string | URL | Blob | Uint8Array | AsyncIterable<Uint8Array>,
  name: string,
): Promise<FileContent>

/** The headers with which something was returned, such as `ETag` and `X-Template-Error`. */
export function headersOf(result: object): Headers

/** The input that lists what follows a list, beside its other input; undefined if the list is complete. */
export function nextOf(list: object): { after: string } | undefined
