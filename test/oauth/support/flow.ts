/** Clients and people for the tests of connecting by address: what a program sends, and what a browser does. */
import { createHash, randomBytes } from 'node:crypto'
import { beforeAll } from 'vitest'
import { rateLimiter } from '../../../routers/access/rate-limit.ts'
import type { Settings } from '../../../server/settings.ts'
import { type Person, uniqueName, useWorld, type World } from '../../support/world.ts'

export const PASSWORD = 'correct horse battery'
export const CALLBACK = 'https://client.example/callback'

/** A service in which all tests of a file may come from one address. Tests of the limits do without. */
export const useUnlimitedWorld = (settings: Partial<Settings> = {}): World => {
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

/** An answer of an endpoint. */
export interface Answer {
  status: number
  headers: Headers
  body: Json
}

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Json),
  }
}

/** Sends a form to an endpoint for clients. */
export const post = async (world: World, path: string, fields: Record<string, string>): Promise<Answer> =>
  answerOf(await fetch(world.root + path, { method: 'POST', body: new URLSearchParams(fields) }))

/** Registers a client with these words of its own. */
export const tryToRegister = async (world: World, metadata: unknown): Promise<Answer> =>
  answerOf(
    await fetch(`${world.root}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    }),
  )

/** Registers a client and returns its id. */
export const register = async (world: World, metadata: Json = {}): Promise<string> => {
  const { body } = await tryToRegister(world, {
    client_name: 'Test client',
    redirect_uris: [CALLBACK],
    ...metadata,
  })
  return String(body.client_id)
}

/** A verifier and its challenge. */
export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The parameters of a request that is in order, changed by `changes`; those that are undefined are left out. */
export const requestOf = (
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

/** A page as a person with a browser has it before them. */
export interface Shown {
  status: number
  headers: Headers
  text: string
  /** Where the answer leads on, with its parameters. */
  location: URL | null
  /** The named hidden field's value. */
  field(name: string): string
  /** Values of the boxes that are ticked. */
  ticked: string[]
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!)

/** A browser with a cookie, which sends forms as it finds them and follows nothing by itself. */
export class TestBrowser {
  cookie = ''
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  async open(path: string, init: RequestInit = {}): Promise<Shown> {
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
      ticked: [...text.matchAll(/name="scope" value="(\w+)" checked/g)].map(([, scope]) => scope!),
    }
  }

  /** Sends a form. A list is a field given several times. */
  send(path: string, fields: Record<string, string | string[]>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries(fields))
      for (const one of [value].flat()) body.append(name, one)
    return this.open(path, { method: 'POST', body, headers })
  }

  ask(query: string): Promise<Shown> {
    return this.open(`/oauth/authorize?${query}`)
  }

  /** Signs in on the page that asks for it; the question follows. */
  async signIn(handle: string, query: string): Promise<Shown> {
    const { status, location } = await this.send('/oauth/sign-in', {
      request: query,
      handle,
      password: PASSWORD,
    })
    if (status !== 303) throw new Error(`Signing in was answered with ${status}`)
    return this.open(location!.pathname + location!.search)
  }

  /** Answers the question on a page. */
  answer(page: Shown, decision: 'allow' | 'deny' | 'switch', scopes: string[] = page.ticked): Promise<Shown> {
    const fields = { request: page.field('request'), proof: page.field('proof'), decision, scope: scopes }
    return this.send('/oauth/consent', fields)
  }
}

/** A person with a browser in which they are signed in. */
export const signedInBrowser = async (world: World): Promise<{ person: Person; browser: TestBrowser }> => {
  const person = await world.person(uniqueName('client'))
  const browser = new TestBrowser(world.root)
  const clientId = await register(world)
  await browser.signIn(person.handle, requestOf(world, clientId, pkce().challenge))
  return { person, browser }
}

/** What a connected client holds. */
export interface Connected {
  person: Person
  clientId: string
  code: string
  verifier: string
  access: string
  refresh: string
  scope: string
}

/** What a client sends to exchange its code. */
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

/** What a client sends to renew its tokens. */
export const renew = (world: World, { clientId, refresh }: Pick<Connected, 'clientId' | 'refresh'>) =>
  post(world, '/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: refresh })

/** A code that a person has just let a client have. */
export const approved = async (world: World, scopes?: string[]) => {
  const { person, browser } = await signedInBrowser(world)
  const clientId = await register(world)
  const { verifier, challenge } = pkce()
  const page = await browser.ask(requestOf(world, clientId, challenge))
  const { location } = await browser.answer(page, 'allow', scopes)
  return { person, clientId, verifier, code: location?.searchParams.get('code') ?? '' }
}

/** A client that a person has let in. */
export const connect = async (world: World, scopes?: string[]): Promise<Connected> => {
  const given = await approved(world, scopes)
  const { status, body } = await exchange(world, given)
  if (status !== 200) throw new Error(`The code was answered with ${status}: ${JSON.stringify(body)}`)
  return {
    ...given,
    access: String(body.access_token),
    refresh: String(body.refresh_token),
    scope: String(body.scope),
  }
}

/** Whether a token opens the User API. */
export const opens = async (world: World, token: string): Promise<boolean> =>
  (await world.rest(token).get('/me')).status === 200
