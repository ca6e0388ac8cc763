import { describe, expect, test } from 'vitest'
import { userScopes } from '../../routers/core/scopes.ts'
import { hold, untilWaiting } from '../support/transactions.ts'
import { uniqueName } from '../support/world.ts'
import {
  approved,
  CALLBACK,
  exchange,
  PASSWORD,
  pkce,
  register,
  requestOf,
  signedInBrowser,
  TestBrowser,
  tryToRegister,
  useUnlimitedWorld,
} from './support/flow.ts'

const world = useUnlimitedWorld()
const { challenge } = pkce()
const ISSUER = 'http://localhost/oauth'

/** What a policy says of one thing. */
const directive = (headers: Headers, name: string) =>
  new RegExp(`(?:^|; )${name} ([^;]*)`).exec(headers.get('content-security-policy') ?? '')?.[1]

test('an account that is deleted while it says yes lets nobody in, and is asked to sign in', async () => {
  const { person, browser } = await signedInBrowser(world)
  const page = await browser.ask(requestOf(world, await register(world), challenge))
  const deletion = await hold(world, db =>
    db.deleteFrom('accounts').where('handle', '=', person.handle).execute(),
  )
  const answered = browser.answer(page, 'allow')
  await untilWaiting(world, 1)
  await deletion.commit()
  const { status, text, location } = await answered
  expect({ status, location }).toEqual({ status: 200, location: null })
  expect(text).toContain('Sign in to connect')
  expect(world.log.filter(({ msg }) => msg === 'fault')).toEqual([])
})

describe('the question', () => {
  test('is put after signing in, and names client, address and account', async () => {
    const person = await world.person(uniqueName('asked'))
    const browser = new TestBrowser(world.root)
    const query = requestOf(world, await register(world), challenge)
    const first = await browser.ask(query)
    expect(first.status).toBe(200)
    expect(first.text).toContain('Sign in to connect <bdi>Test client</bdi>')
    const page = await browser.signIn(person.handle, first.field('request'))
    expect(page.status).toBe(200)
    for (const words of ['Test client', '<b>client.example</b>', `@${person.handle}`, 'Unverified name'])
      expect(page.text).toContain(words)
  })

  test.each([
    ['http://127.0.0.1:7777/cb', 'a program on this computer, at <b>127.0.0.1:7777</b>'],
    ['cursor://host/cb', 'the app on this device that opens <b>cursor:</b> links'],
  ])('tells where %s leads', async (uri, words) => {
    const { browser } = await signedInBrowser(world)
    const clientId = await register(world, { redirect_uris: [uri] })
    const page = await browser.ask(requestOf(world, clientId, challenge, { redirect_uri: uri }))
    expect(page.text).toContain(words)
  })

  test.each([
    ['nothing', undefined, ['posts', 'comments', 'likes', 'profile']],
    ['an empty scope', '', ['posts', 'comments', 'likes', 'profile']],
    ['some', 'profile posts', ['posts', 'profile']],
    ['unknown ones beside known ones', 'offline_access likes', ['likes']],
  ])('offers, when the client asks for %s, what it may have, in words', async (_, scope, expected) => {
    const { browser } = await signedInBrowser(world)
    const page = await browser.ask(requestOf(world, await register(world), challenge, { scope }))
    expect(page.ticked).toEqual(expected)
    for (const name of expected) expect(page.text).toContain(userScopes[name as 'posts'])
  })

  test('shows a hostile name as text, in one line and cut short', async () => {
    const { browser } = await signedInBrowser(world)
    const name = `<script>alert(1)</script>\u202E"'\n\u200B${'x'.repeat(200)}`
    const clientId = await register(world, { client_name: name })
    const page = await browser.ask(requestOf(world, clientId, challenge))
    expect(page.text).not.toContain('<script')
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; x')
    expect(page.text).not.toMatch(/[\u202E\u200B]/)
    expect(page.text).not.toContain('x'.repeat(60))
  })

  test.each([
    ['https://client.example/callback', "'self' https:"],
    ['http://127.0.0.1:7777/cb', "'self' http://127.0.0.1:7777 https:"],
    ['http://[::1]:7777/cb', "'self' http: https:"],
    ['cursor://host/cb', "'self' cursor:"],
  ])('runs nothing, may not be framed, and leads nowhere but to %s', async (uri, targets) => {
    const { browser } = await signedInBrowser(world)
    const clientId = await register(world, { redirect_uris: [uri] })
    const { headers, text } = await browser.ask(requestOf(world, clientId, challenge, { redirect_uri: uri }))
    expect(directive(headers, 'default-src')).toBe("'none'")
    expect(directive(headers, 'script-src')).toBeUndefined()
    expect(directive(headers, 'frame-ancestors')).toBe("'none'")
    expect(directive(headers, 'base-uri')).toBe("'none'")
    expect(directive(headers, 'form-action')).toBe(targets)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/<script|\son\w+=|\sstyle=/)
  })
})

describe('the answer', () => {
  test('yes sends a code with state and issuer to the client', async () => {
    const { browser } = await signedInBrowser(world)
    const page = await browser.ask(requestOf(world, await register(world), challenge, { state: 'a&b=c d' }))
    const { status, location } = await browser.answer(page, 'allow')
    expect(status).toBe(303)
    expect(`${location!.origin}${location!.pathname}`).toBe(CALLBACK)
    expect(Object.fromEntries(location!.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: 'a&b=c d',
      iss: ISSUER,
    })
  })

  test('no sends access_denied with state and issuer', async () => {
    const { browser } = await signedInBrowser(world)
    const page = await browser.ask(requestOf(world, await register(world), challenge))
    const { location } = await browser.answer(page, 'deny')
    expect(location!.searchParams.get('code')).toBeNull()
    expect(Object.fromEntries(location!.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'xyz',
      iss: ISSUER,
    })
  })

  test('can be given without signing in when it is no', async () => {
    const browser = new TestBrowser(world.root)
    const page = await browser.ask(requestOf(world, await register(world), challenge))
    const cancel = /class="button" href="([^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
    expect(new URL(cancel).searchParams.get('error')).toBe('access_denied')
    expect(cancel.startsWith(`${CALLBACK}?`)).toBe(true)
  })

  test('yes to fewer scopes than were offered gives just these', async () => {
    const { body } = await exchange(world, await approved(world, ['likes']))
    expect(body.scope).toBe('likes')
  })

  test('yes to nothing is asked again', async () => {
    const { browser } = await signedInBrowser(world)
    const page = await browser.ask(requestOf(world, await register(world), challenge))
    const again = await browser.answer(page, 'allow', [])
    expect(again.status).toBe(422)
    expect(again.text).toContain('Choose at least one')
    expect((await browser.answer(again, 'allow', ['posts'])).status).toBe(303)
  })

  test('yes to what was not offered gives only what was', async () => {
    const { browser } = await signedInBrowser(world)
    const clientId = await register(world)
    const { verifier, challenge } = pkce()
    const page = await browser.ask(requestOf(world, clientId, challenge, { scope: 'posts' }))
    const { location } = await browser.answer(page, 'allow', ['posts', 'profile', 'pages'])
    const code = location!.searchParams.get('code')!
    expect((await exchange(world, { clientId, code, verifier })).body.scope).toBe('posts')
  })

  test('of somebody else begins with signing out', async () => {
    const { browser } = await signedInBrowser(world)
    const query = requestOf(world, await register(world), challenge)
    const { location } = await browser.answer(await browser.ask(query), 'switch')
    expect(location!.search).toBe(`?${query}`)
    expect((await browser.ask(query)).text).toContain('Sign in to connect')
  })
})

describe('an answer that the person has not given', () => {
  const asked = async () => {
    const { browser } = await signedInBrowser(world)
    const page = await browser.ask(requestOf(world, await register(world), challenge))
    const fields = {
      request: page.field('request'),
      proof: page.field('proof'),
      decision: 'allow',
      scope: 'posts',
    }
    return { browser, fields }
  }

  test.each([
    ['from another origin', {}, { origin: 'https://evil.example' }],
    ['from an origin that hides', {}, { origin: 'null' }],
    ['from a site of ours', {}, { origin: 'http://garden.sites.localhost' }],
    ['that the browser calls cross-site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['that the browser calls same-site', {}, { 'sec-fetch-site': 'same-site' }],
    ['without the proof', { proof: '' }, {}],
    ['with a wrong proof', { proof: 'A'.repeat(43) }, {}],
  ])('%s is refused', async (_, changes, headers) => {
    const { browser, fields } = await asked()
    const { status, location } = await browser.send('/oauth/consent', { ...fields, ...changes }, headers)
    expect({ status, location }).toEqual({ status: 400, location: null })
    expect((await browser.send('/oauth/consent', fields, { origin: 'http://localhost' })).status).toBe(303)
  })

  test('with the proof of another request is refused', async () => {
    const { browser, fields } = await asked()
    const request = requestOf(world, await register(world), challenge)
    expect((await browser.send('/oauth/consent', { ...fields, request })).status).toBe(400)
  })

  test('with the proof of another session is refused', async () => {
    const [one, other] = [await asked(), await signedInBrowser(world)]
    expect((await other.browser.send('/oauth/consent', one.fields)).status).toBe(400)
  })

  test('after the session has ended leads to signing in', async () => {
    const { browser, fields } = await asked()
    browser.cookie = ''
    const { status, text, location } = await browser.send('/oauth/consent', fields)
    expect({ status, location }).toEqual({ status: 200, location: null })
    expect(text).toContain('Sign in to connect')
  })

  test('to a form that is too large is refused', async () => {
    const { browser, fields } = await asked()
    expect((await browser.send('/oauth/consent', { ...fields, x: 'x'.repeat(40_000) })).status).toBe(400)
  })
})

describe('signing in on the way', () => {
  test.each([
    ['a wrong password', 'wrong horse battery', 401],
    ['no password', '', 401],
  ])('with %s is told, and keeps the request', async (_, password, status) => {
    const person = await world.person(uniqueName('asked'))
    const browser = new TestBrowser(world.root)
    const query = requestOf(world, await register(world), challenge)
    const page = await browser.send('/oauth/sign-in', { request: query, handle: person.handle, password })
    expect(page.status).toBe(status)
    expect(page.text).toContain('Handle and password do not match.')
    expect(page.field('request')).toBe(query)
    expect(browser.cookie).toBe('')
  })

  test('is throttled as it is everywhere', async () => {
    const person = await world.person(uniqueName('asked'))
    const browser = new TestBrowser(world.root)
    const query = requestOf(world, await register(world), challenge)
    const attempt = (password: string) =>
      browser.send('/oauth/sign-in', { request: query, handle: person.handle, password })
    for (let i = 0; i < 10; i++) expect((await attempt('wrong horse battery')).status).toBe(401)
    const refused = await attempt(PASSWORD)
    expect(refused.status).toBe(429)
    expect(refused.text).toMatch(/Too many attempts; wait \d+ s\./)
  })

  test('is refused when another site sends the form', async () => {
    const person = await world.person(uniqueName('asked'))
    const browser = new TestBrowser(world.root)
    const request = requestOf(world, await register(world), challenge)
    const fields = { request, handle: person.handle, password: PASSWORD }
    const { status } = await browser.send('/oauth/sign-in', fields, { origin: 'https://evil.example' })
    expect({ status, cookie: browser.cookie }).toEqual({ status: 400, cookie: '' })
  })
})

describe('a request that is out of order', () => {
  test.each([
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'A'.repeat(22) }],
    ['a client that is a word', { client_id: 'nobody' }],
    ['an address that is not registered', { redirect_uri: 'https://client.example/other' }],
    ['an address that is a script', { redirect_uri: 'javascript:alert(1)' }],
    ['an empty address', { redirect_uri: '' }],
  ])('with %s is told to the person and to nobody else', async (_, changes) => {
    const browser = new TestBrowser(world.root)
    const query = requestOf(world, await register(world), challenge, changes)
    const { status, location, text } = await browser.ask(query)
    expect({ status, location }).toEqual({ status: 400, location: null })
    expect(text).toContain('This connection cannot be made')
  })

  test.each([
    ['no kind of answer', { response_type: undefined }, 'unsupported_response_type'],
    ['another kind of answer', { response_type: 'token' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a challenge of no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge that is no hash', { code_challenge: 'short' }, 'invalid_request'],
    ['a resource of somebody else', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ["the space's tool server", { resource: 'http://localhost/mcp' }, 'invalid_target'],
    ['unknown scopes only', { scope: 'pages admin' }, 'invalid_scope'],
  ])('with %s is answered to the client', async (_, changes, error) => {
    const browser = new TestBrowser(world.root)
    const { status, location } = await browser.ask(
      requestOf(world, await register(world), challenge, changes),
    )
    expect(status).toBe(303)
    expect(location!.href.startsWith(`${CALLBACK}?`)).toBe(true)
    expect(Object.fromEntries(location!.searchParams)).toMatchObject({ error, state: 'xyz', iss: ISSUER })
  })

  test('with a parameter twice is refused', async () => {
    const browser = new TestBrowser(world.root)
    const query = `${requestOf(world, await register(world), challenge)}&scope=posts&scope=likes`
    expect((await browser.ask(query)).location!.searchParams.get('error')).toBe('invalid_request')
    expect((await browser.ask(`${query}&redirect_uri=https://evil.example/`)).status).toBe(400)
    expect((await browser.ask(`${query}&client_id=x`)).status).toBe(400)
  })

  test.each([
    ['no resource', { resource: undefined }],
    ['no state', { state: undefined }],
    ['no address where only one is registered', { redirect_uri: undefined }],
    ['an unknown parameter', { prompt: 'consent' }],
  ])('is in order with %s', async (_, changes) => {
    const { browser } = await signedInBrowser(world)
    const page = await browser.ask(requestOf(world, await register(world), challenge, changes))
    const { location } = await browser.answer(page, 'allow')
    expect(location!.searchParams.get('code')).not.toBeNull()
    expect(location!.searchParams.has('state')).toBe(!('state' in changes))
  })

  test('needs to say which address where several are registered', async () => {
    const { body } = await tryToRegister(world, { redirect_uris: [CALLBACK, 'https://client.example/b'] })
    const query = requestOf(world, String(body.client_id), challenge, { redirect_uri: undefined })
    expect((await new TestBrowser(world.root).ask(query)).status).toBe(400)
  })
})
