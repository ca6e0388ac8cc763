/** OAuth flows for tests: the requests of a client and the browser of a person. */
import { createHash, randomBytes } from 'node:crypto'
import { beforeAll } from 'vitest'
import { rateLimiter } from '../../../routers/access/rate-limit.ts'
import type { Settings } from '../../../server/settings.ts'
import { type Person, uniqueName, useWorld, type World } from '../../support/world.ts'

export const PASSWORD = 'correct horse battery'
export const CALLBACK = 'https://client.example/callback'

/** Starts a service without the limits per network address, which all tests of a file would share. */
export const useWorldWithoutLimits = (settings: Partial<Settings> = {}): World => {
  const world = useWorld(settings)
  beforeAll(() => {
    const { attempts, oauth } = world.service.core
    attempts.byClient = rateLimiter('test-attempts', 1_000_000, 60, null)
    oauth.registrations = rateLimiter('test-registrations', 1_000_000, 60, null)
    oauth.lookups = rateLimiter('test-lookups', 1_000_000, 60, null)
  })
  return world
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

/** Sends a form to a client endpoint. */
export const post = async (
  world: World,
  path: string,
  fields: Record<string, string>,
): Promise<EndpointResponse> =>
  readResponse(await fetch(world.root + path, { method: 'POST', body: new URLSearchParams(fields) }))

/** Sends a registration request with the given metadata. */
export const sendRegistration = async (world: World, metadata: unknown): Promise<EndpointResponse> =>
  readResponse(
    await fetch(`${world.root}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    }),
  )

/** Registers a client and returns its id. */
export const register = async (world: World, metadata: Json = {}): Promise<string> => {
  const { body } = await sendRegistration(world, {
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
  world: World,
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
    resource: `${world.service.core.addresses.apiRoot}/user-mcp`,
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

  /** Submits a form. A list repeats the field. */
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
    decision: 'allow' | 'deny' | 'switch',
    scopes: string[] = page.checkedScopes,
  ): Promise<ReceivedPage> {
    const fields = { request: page.field('request'), proof: page.field('proof'), decision, scope: scopes }
    return this.send('/oauth/consent', fields)
  }
}

/** Creates a person and signs in with a browser. */
export const signedInBrowser = async (world: World): Promise<{ person: Person; browser: TestBrowser }> => {
  const person = await world.person(uniqueName('client'))
  const browser = new TestBrowser(world.root)
  const clientId = await register(world)
  await browser.signIn(person.handle, authorizationQuery(world, clientId, pkce().challenge))
  return { person, browser }
}

/** Everything that a connected client has. */
export interface Connected {
  person: Person
  clientId: string
  code: string
  verifier: string
  access: string
  refresh: string
  scope: string
}

/** Exchanges the code of a client. */
export const exchange = (
  world: World,
  { clientId, code, verifier }: Pick<Connected, 'clientId' | 'code' | 'verifier'>,
) =>
  post(world, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: CALLBACK,
    resource: `${world.service.core.addresses.apiRoot}/user-mcp`,
  })

/** Refreshes the tokens of a client. */
export const renew = (world: World, { clientId, refresh }: Pick<Connected, 'clientId' | 'refresh'>) =>
  post(world, '/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: refresh })

/** Approves a new client and returns its code. */
export const approved = async (world: World, scopes?: string[]) => {
  const { person, browser } = await signedInBrowser(world)
  const clientId = await register(world)
  const { verifier, challenge } = pkce()
  const page = await browser.authorize(authorizationQuery(world, clientId, challenge))
  const { location } = await browser.decide(page, 'allow', scopes)
  return { person, clientId, verifier, code: location?.searchParams.get('code') ?? '' }
}

/** Approves a new client and exchanges its code. */
export const connect = async (world: World, scopes?: string[]): Promise<Connected> => {
  const given = await approved(world, scopes)
  const { status, body } = await exchange(world, given)
  if (status !== 200) throw new Error(`The code exchange returned ${status}: ${JSON.stringify(body)}`)
  return {
    ...given,
    access: String(body.access_token),
    refresh: String(body.refresh_token),
    scope: String(body.scope),
  }
}

/** Whether the User API accepts a token. */
export const opens = async (world: World, token: string): Promise<boolean> =>
  (await world.rest(token).get('/me')).status === 200
