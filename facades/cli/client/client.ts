/** The typed client: sends calls, and waits where the service says so. `index.d.ts` declares it for its users. */
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from './error.ts'
import operations from './operations.json' with { type: 'json' }

export { ApiError } from './error.ts'
export { fileFrom } from './file.ts'

interface Plan {
  method: string
  path: string
  query: readonly string[]
  hasBody: boolean
}

type Retry = { attempts?: number; seconds?: number } | false

interface ClientOptions {
  url: string
  space?: string
  key?: string
  token?: string
  retry?: Retry
  fetch?: typeof fetch
}

interface CallOptions {
  signal?: AbortSignal
  retry?: Retry
  ifMatch?: object | string
  ifNoneMatch?: object | string
  idempotencyKey?: string
}

type Input = Readonly<Record<string, unknown>>

/** The headers of responses, by what their bodies became. */
const headers = new WeakMap<object, Headers>()

/** The headers with which something was returned. */
export const headersOf = (result: object): Headers => {
  const found = headers.get(result)
  if (!found) throw new TypeError('headersOf needs what a call has returned')
  return found
}

/** Returns the input that lists what follows a list; undefined if the list is complete. */
export const nextOf = (list: object): Record<string, string> | undefined => {
  const [, address] = /<([^>]+)>; rel="next"/.exec(headersOf(list).get('link') ?? '') ?? []
  return address === undefined ? undefined : Object.fromEntries(new URL(address).searchParams)
}

/** Returns a client of the Space API, or with a `token` of the User API. */
export const createClient = (options: ClientOptions) => {
  const { url, space, key, token } = options
  const isUser = 'token' in options
  const secret = isUser ? token : key
  if (!URL.canParse(url)) throw new TypeError('createClient needs the url of the service')
  if (!secret || !(isUser || space))
    throw new TypeError('createClient needs a space and a key for it, or the token of an account')
  const plans: Record<string, Plan> = isUser ? operations.user : operations.space
  return Object.fromEntries(
    Object.entries(plans).map(([name, plan]) => {
      const takesInput = plan.hasBody || plan.query.length > 0 || /\{(?!subdomain\})/.test(plan.path)
      const call = (input: Input, callOptions: CallOptions = {}) =>
        send({ name, plan, input, options: callOptions, client: { ...options, secret } })
      return [
        name,
        takesInput
          ? (input: Input, given?: CallOptions) => call(input, given)
          : (given?: CallOptions) => call({}, given),
      ]
    }),
  )
}

interface Call {
  name: string
  plan: Plan
  input: Input
  options: CallOptions
  client: ClientOptions & { secret: string }
}

const ATTEMPTS = 5
const SECONDS = 120

/** Sends a call until there is an answer, or until it has waited long enough. */
const send = async (call: Call): Promise<unknown> => {
  const { name, plan, options, client } = call
  const retry = options.retry ?? client.retry ?? {}
  const attempts = retry === false ? 1 : (retry.attempts ?? ATTEMPTS)
  let seconds = retry === false ? 0 : (retry.seconds ?? SECONDS)
  const request = requestOf(call)
  const isRepeatable = plan.method !== 'PATCH'
  for (let attempt = 1; ; attempt++) {
    let delay: number
    let failure: unknown
    try {
      const response = await (client.fetch ?? fetch)(request.url, request.init)
      const text = await response.text()
      if (response.status === 304) return options.ifNoneMatch
      const result = response.ok ? resultOf(response, text) : NONE
      if (result !== NONE) return result
      const error = new ApiError(name, response, text)
      const isTemporary = response.status === 503 || error.code === 'idempotency_in_progress'
      if (response.status !== 429 && !(isTemporary && isRepeatable)) throw error
      failure = error
      delay = error.retryAfter ?? backoff(attempt)
    } catch (error) {
      if (error instanceof ApiError || options.signal?.aborted || !isRepeatable) throw error
      failure = error
      delay = backoff(attempt)
    }
    if (attempt >= attempts || delay > seconds) throw failure
    seconds -= delay
    await wait(delay * 1000, undefined, { signal: options.signal }).catch(() =>
      options.signal?.throwIfAborted(),
    )
  }
}

/** Seconds to wait if the service did not say how many. They are random, so that not all callers return at once. */
const backoff = (attempt: number) => 2 ** (attempt - 1) * (0.5 + Math.random() / 2)

/** Stands for a response that is not from the service, because every result is an object or nothing. */
const NONE = Symbol('none')

const resultOf = (response: Response, text: string): unknown => {
  if (response.status === 204) return undefined
  if (!/^application\/json\b/.test(response.headers.get('content-type') ?? '')) return NONE
  const result = JSON.parse(text) as object
  headers.set(result, response.headers)
  return result
}

/** Divides the input into the path, the query and the body, as the operation has them. */
const requestOf = ({ name, plan, input, options, client }: Call): { url: string; init: RequestInit } => {
  const { subdomain = client.space, ...rest } = input as { subdomain?: unknown }
  const fields: Record<string, unknown> = { subdomain, ...rest }
  const taken = new Set(['subdomain', ...plan.query])
  const path = plan.path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    taken.add(parameter)
    const value = fields[parameter]
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} needs ${parameter}`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(
    plan.query.flatMap((parameter): [string, string][] => {
      const value = fields[parameter]
      return typeof value === 'string' ? [[parameter, value]] : []
    }),
  ).toString()
  const body = Object.fromEntries(Object.entries(fields).filter(([field]) => !taken.has(field)))
  return {
    url: `${client.url.replace(/\/$/, '')}/v1${path}${query && `?${query}`}`,
    init: {
      method: plan.method,
      // A `Headers` refuses a malformed credential at once.
      headers: new Headers({
        Authorization: `Bearer ${client.secret}`,
        ...(plan.hasBody ? { 'Content-Type': 'application/json' } : {}),
        ...(plan.method === 'POST'
          ? { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() }
          : {}),
        ...tagHeader('If-Match', options.ifMatch),
        ...tagHeader('If-None-Match', options.ifNoneMatch),
        // Without this, `fetch` sends `no-cache` beside `If-None-Match`.
        ...(options.ifNoneMatch === undefined ? {} : { 'Cache-Control': 'max-age=0' }),
      }),
      ...(plan.hasBody ? { body: JSON.stringify(body) } : {}),
      redirect: 'manual',
      ...(options.signal ? { signal: options.signal } : {}),
    },
  }
}

/** The header of a condition: a tag, or that of what a call has returned. */
const tagHeader = (name: string, condition: object | string | undefined): Record<string, string> => {
  if (condition === undefined) return {}
  if (typeof condition === 'string') return { [name]: condition }
  const tag = headersOf(condition).get('etag')
  if (tag === null) throw new TypeError(`${name} needs something that has an ETag, which lists have not`)
  return { [name]: tag }
}
