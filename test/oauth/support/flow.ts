/** OAuth flows for tests: the requests of a client and the browser of a person. */
import { createHash, randomBytes } from 'node:crypto'
import { beforeAll } from 'vitest'
import { rateLimiter } from '../../../routers/api/rate-limit.ts'
import type { Settings } from '../../../server/settings/settings.ts'
import { type Person, type TestService, uniqueName, useTestService } from '../../support/test-service.ts'

export const PASSWORD = 'correct horse battery'
export const CALLBACK = 'https://client.example/callback'

/** Starts a service without rate limits per network address, because all tests in a file use the same address. */
export const useTestServiceWithoutLimits = (settings: Partial<Settings> = {}): TestService => {
  const service = useTestService(settings)
  beforeAll(() => {
    const { attempts, oauth } = service.core
    attempts.byClient = rateLimiter('test-attempts', 1_000_000, 60, null)
    oauth.registrations = rateLimiter('test-registrations', 1_000_000, 60, null)
    oauth.lookups = rateLimiter('test-lookups', 1_000_000, 60, null)
  })
  return service
}

/** Any JSON object. */
export type Json = Record<string, unknown>

/** A JSON response of an endpoint. */
export interface EndpointResponse {
  status: number
  headers: Headers
  body: Json
}

const readResponse = async (response: Response): Promise<EndpointResponse> => {
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Json),
  }
}

/** Sends a form to an endpoint for clients, such as the token endpoint. */
export const post = async (
  service: TestService,
  path: string,
  fields: Record<string, string>,
): Promise<EndpointResponse> =>
  readResponse(await fetch(service.root + path, { method: 'POST', body: new URLSearchParams(fields) }))

/** Sends a registration request with the given metadata. */
export const sendRegistration = async (service: TestService, metadata: unknown): Promise<EndpointResponse> =>
  readResponse(
    await fetch(`${service.root}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    }),
  )

/** Registers a client and returns its id. */
export const register = async (service: TestService, metadata: Json = {}): Promise<string> => {
  const { body } = await sendRegistration(service, {
    client_name: 'Test client',
    redirect_uris: [CALLBACK],
    ...metadata,
  })
  return String(body.client_id)
}

/** Returns a new PKCE verifier and its challenge. */
export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Returns the query of a valid authorization request. `changes` override parameters; undefined removes them. */
export const authorizationQuery = (
  service: TestService,
  clientId: string,
  challenge: string,
  changes: Record<string, string | undefined> = {},
): string => {
  const query = new URLSearchParams()
  const all = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'xyz',
    resource: `${service.core.addresses.apiRoot}/user-mcp`,
    ...changes,
  }
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value)
  return query.toString()
}

/** A response as a browser sees it. */
export interface ReceivedPage {
  status: number
  headers: Headers
  text: string
  /** The redirect target. */
  location: URL | null
  /** Value of a form field, or an empty string. */
  field(name: string): string
  /** Scopes whose checkboxes are checked. */
  checkedScopes: string[]
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!)

/** A minimal browser: keeps the session cookie, submits forms, and does not follow redirects. */
export class TestBrowser {
  cookie = ''
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  async open(path: string, init: RequestInit = {}): Promise<ReceivedPage> {
    const headers = new Headers(init.headers)
    if (this.cookie !== '') headers.set('cookie', this.cookie)
    const response = await fetch(this.#root + path, { ...init, headers, redirect: 'manual' })
    const set = response.headers.get('set-cookie')
    if (set !== null) this.cookie = set.split(';')[0]!
    const text = await response.text()
    const location = response.headers.get('location')
    const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: location === null ? null : new URL(location, this.#root),
      field: name => unescaped(value(name) ?? ''),
      checkedScopes: [...text.matchAll(/name="scope" value="(\w+)" checked/g)].map(([, scope]) => scope!),
    }
  }

  /** Submits a form. A field with a list of values is repeated. */
  send(path: string, fields: Record<string, string | string[]>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries(fields))
      for (const one of [value].flat()) body.append(name, one)
    return this.open(path, { method: 'POST', body, headers })
  }

  authorize(query: string): Promise<ReceivedPage> {
    return this.open(`/oauth/authorize?${query}`)
  }

  /** Signs in and opens the consent page that follows. */
  async signIn(handle: string, query: string): Promise<ReceivedPage> {
    const { status, location } = await this.send('/oauth/sign-in', {
      request: query,
      handle,
      password: PASSWORD,
    })
    if (status !== 303) throw new Error(`Signing in returned ${status}`)
    return this.open(location!.pathname + location!.search)
  }

  /** Submits the form of the consent page. */
  decide(
    page: ReceivedPage,
    decision: 'allow' | 'deny' | 'switch' | 'create',
    scopes: string[] = page.checkedScopes,
    space = '',
  ): Promise<ReceivedPage> {
    return this.send('/oauth/consent', { ...formOf(page), decision, scope: scopes, space })
  }

  /** Submits the form that creates a space. */
  createSpace(page: ReceivedPage, values: { name: string; subdomain: string }): Promise<ReceivedPage> {
    return this.send('/oauth/space', { ...formOf(page), decision: 'create', ...values })
  }
}

/** The hidden fields of a page's form. */
const formOf = (page: ReceivedPage) => ({ request: page.field('request'), proof: page.field('proof') })

/** Creates a person and signs in with a browser. */
export const signedInBrowser = async (
  service: TestService,
): Promise<{ person: Person; browser: TestBrowser }> => {
  const person = await service.signUp(uniqueName('client'))
  const browser = new TestBrowser(service.root)
  const clientId = await register(service)
  await browser.signIn(person.handle, authorizationQuery(service, clientId, pkce().challenge))
  return { person, browser }
}

/** A connected app with its code, tokens and person. */
export interface Connected {
  person: Person
  clientId: string
  code: string
  verifier: string
  access: string
  refresh: string
  scope: string
}

/** Exchanges a client's authorization code for tokens. */
export const exchange = (
  service: TestService,
  { clientId, code, verifier }: Pick<Connected, 'clientId' | 'code' | 'verifier'>,
) =>
  post(service, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: CALLBACK,
    resource: `${service.core.addresses.apiRoot}/user-mcp`,
  })

/** Refreshes the tokens of a client. */
export const renew = (service: TestService, { clientId, refresh }: Pick<Connected, 'clientId' | 'refresh'>) =>
  post(service, '/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: refresh })

/** Approves a new client and returns its authorization code. */
export const approved = async (service: TestService, scopes?: string[]) => {
  const { person, browser } = await signedInBrowser(service)
  const clientId = await register(service)
  const { verifier, challenge } = pkce()
  const page = await browser.authorize(authorizationQuery(service, clientId, challenge))
  const { location } = await browser.decide(page, 'allow', scopes)
  return { person, clientId, verifier, code: location?.searchParams.get('code') ?? '' }
}

/** Approves a new client and exchanges its authorization code for tokens. */
export const connect = async (service: TestService, scopes?: string[]): Promise<Connected> => {
  const given = await approved(service, scopes)
  const { status, body } = await exchange(service, given)
  if (status !== 200) throw new Error(`The code exchange returned ${status}: ${JSON.stringify(body)}`)
  return {
    ...given,
    access: String(body.access_token),
    refresh: String(body.refresh_token),
    scope: String(body.scope),
  }
}

/** Whether the User API accepts a token. */
export const isAccepted = async (service: TestService, token: string): Promise<boolean> =>
  (await service.rest(token).get('/me')).status === 200
