import { describe, expect, test } from 'vitest'
import { userScopes } from '../../routers/api/scopes.ts'
import { uniqueName } from '../support/test-service.ts'
import { holdLocks, waitForBlocked } from '../support/transactions.ts'
import {
  approved,
  authorizationQuery,
  CALLBACK,
  exchange,
  PASSWORD,
  pkce,
  register,
  signedInBrowser,
  TestBrowser,
  useTestServiceWithoutLimits,
} from './support/flow.ts'

const service = useTestServiceWithoutLimits()
const { challenge } = pkce()
const ISSUER = 'http://localhost/oauth'

/** Returns one directive of the Content-Security-Policy. */
const directive = (headers: Headers, name: string) =>
  new RegExp(`(?:^|; )${name} ([^;]*)`).exec(headers.get('content-security-policy') ?? '')?.[1]

test('if the account is deleted during the approval, nothing is approved and the sign-in page is shown', async () => {
  const { person, browser } = await signedInBrowser(service)
  const page = await browser.authorize(authorizationQuery(service, await register(service), challenge))
  const deletion = await holdLocks(service, db =>
    db.deleteFrom('accounts').where('handle', '=', person.handle).execute(),
  )
  const answered = browser.decide(page, 'allow')
  await waitForBlocked(service, 1)
  await deletion.commit()
  const { status, text, location } = await answered
  expect({ status, location }).toEqual({ status: 200, location: null })
  expect(text).toContain('Sign in to connect')
  expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
})

describe('the consent page', () => {
  test('is shown after signing in, and names the client, the redirect host and the account', async () => {
    const person = await service.signUp(uniqueName('asked'))
    const browser = new TestBrowser(service.root)
    const query = authorizationQuery(service, await register(service), challenge)
    const first = await browser.authorize(query)
    expect(first.status).toBe(200)
    expect(first.text).toContain('Sign in to connect <bdi>Test client</bdi>')
    const page = await browser.signIn(person.handle, first.field('request'))
    expect(page.status).toBe(200)
    for (const part of ['Test client', '<b>client.example</b>', `@${person.handle}`, 'Unverified name'])
      expect(page.text).toContain(part)
  })

  test.each([
    ['http://127.0.0.1:7777/cb', 'a program on this computer, at <b>127.0.0.1:7777</b>'],
    ['cursor://host/cb', 'the app on this device that opens <b>cursor:</b> links'],
  ])('says where the redirect URI %s leads', async (uri, destination) => {
    const { browser } = await signedInBrowser(service)
    const clientId = await register(service, { redirect_uris: [uri] })
    const page = await browser.authorize(
      authorizationQuery(service, clientId, challenge, { redirect_uri: uri }),
    )
    expect(page.text).toContain(destination)
  })

  test.each([
    ['no scope', undefined, ['posts', 'comments', 'likes', 'profile'], ['posts', 'profile']],
    ['an empty scope', '', ['posts', 'comments', 'likes', 'profile'], ['posts', 'profile']],
    ['some scopes', 'profile posts', ['posts', 'profile'], ['posts', 'profile']],
    ['a scope that no tool needs', 'likes posts', ['posts', 'likes'], ['posts']],
    ['known and unknown scopes', 'offline_access likes', ['likes'], ['likes']],
  ])(
    'offers the known scopes and preselects those that tools need, if the request has %s',
    async (_, scope, offered, checked) => {
      const { browser } = await signedInBrowser(service)
      const page = await browser.authorize(
        authorizationQuery(service, await register(service), challenge, { scope }),
      )
      expect(page.checkedScopes).toEqual(checked)
      for (const [name, description] of Object.entries(userScopes))
        expect(page.text.includes(description)).toBe(offered.includes(name))
    },
  )

  test('shows a hostile client name as one line of text, truncated', async () => {
    const { browser } = await signedInBrowser(service)
    const name = `<script>alert(1)</script>\u202E"'\n\u200B${'x'.repeat(200)}`
    const clientId = await register(service, { client_name: name })
    const page = await browser.authorize(authorizationQuery(service, clientId, challenge))
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
  ])(
    'runs no scripts, cannot be framed, and allows form submissions only to itself and %s',
    async (uri, targets) => {
      const { browser } = await signedInBrowser(service)
      const clientId = await register(service, { redirect_uris: [uri] })
      const { headers, text } = await browser.authorize(
        authorizationQuery(service, clientId, challenge, { redirect_uri: uri }),
      )
      expect(directive(headers, 'default-src')).toBe("'none'")
      expect(directive(headers, 'script-src')).toBeUndefined()
      expect(directive(headers, 'frame-ancestors')).toBe("'none'")
      expect(directive(headers, 'base-uri')).toBe("'none'")
      expect(directive(headers, 'form-action')).toBe(targets)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(text).not.toMatch(/<script|\son\w+=|\sstyle=/)
    },
  )
})

describe('a decision on the consent page', () => {
  test('“allow” sends a code with state and issuer to the client', async () => {
    const { browser } = await signedInBrowser(service)
    const page = await browser.authorize(
      authorizationQuery(service, await register(service), challenge, { state: 'a&b=c d' }),
    )
    const { status, location } = await browser.decide(page, 'allow')
    expect(status).toBe(303)
    expect(`${location!.origin}${location!.pathname}`).toBe(CALLBACK)
    expect(Object.fromEntries(location!.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: 'a&b=c d',
      iss: ISSUER,
    })
  })

  test('“deny” sends access_denied with state and issuer to the client', async () => {
    const { browser } = await signedInBrowser(service)
    const page = await browser.authorize(authorizationQuery(service, await register(service), challenge))
    const { location } = await browser.decide(page, 'deny')
    expect(location!.searchParams.get('code')).toBeNull()
    expect(Object.fromEntries(location!.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'xyz',
      iss: ISSUER,
    })
  })

  test('“cancel” works without signing in', async () => {
    const browser = new TestBrowser(service.root)
    const page = await browser.authorize(authorizationQuery(service, await register(service), challenge))
    const cancel = /class="button" href="([^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
    expect(new URL(cancel).searchParams.get('error')).toBe('access_denied')
    expect(cancel.startsWith(`${CALLBACK}?`)).toBe(true)
  })

  test('“allow” grants only the chosen scopes', async () => {
    const { body } = await exchange(service, await approved(service, ['likes']))
    expect(body.scope).toBe('likes')
  })

  test('“allow” without a scope shows the page again', async () => {
    const { browser } = await signedInBrowser(service)
    const page = await browser.authorize(authorizationQuery(service, await register(service), challenge))
    const again = await browser.decide(page, 'allow', [])
    expect(again.status).toBe(422)
    expect(again.text).toContain('Choose at least one permission')
    expect((await browser.decide(again, 'allow', ['posts'])).status).toBe(303)
  })

  test('“allow” does not grant a scope that the page did not offer', async () => {
    const { browser } = await signedInBrowser(service)
    const clientId = await register(service)
    const { verifier, challenge } = pkce()
    const page = await browser.authorize(authorizationQuery(service, clientId, challenge, { scope: 'posts' }))
    const { location } = await browser.decide(page, 'allow', ['posts', 'profile', 'pages'])
    const code = location!.searchParams.get('code')!
    expect((await exchange(service, { clientId, code, verifier })).body.scope).toBe('posts')
  })

  test('“switch” signs the person out, so that they can use another account', async () => {
    const { browser } = await signedInBrowser(service)
    const query = authorizationQuery(service, await register(service), challenge)
    const { location } = await browser.decide(await browser.authorize(query), 'switch')
    expect(location!.search).toBe(`?${query}`)
    expect((await browser.authorize(query)).text).toContain('Sign in to connect')
  })
})

describe('a forged or outdated decision', () => {
  const consentForm = async () => {
    const { browser } = await signedInBrowser(service)
    const page = await browser.authorize(authorizationQuery(service, await register(service), challenge))
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
    ['from an opaque origin', {}, { origin: 'null' }],
    ['from a hosted site', {}, { origin: 'http://garden.sites.localhost' }],
    ['marked cross-site by the browser', {}, { 'sec-fetch-site': 'cross-site' }],
    ['marked same-site by the browser', {}, { 'sec-fetch-site': 'same-site' }],
    ['without the proof', { proof: '' }, {}],
    ['with a wrong proof', { proof: 'A'.repeat(43) }, {}],
  ])('%s is refused', async (_, changes, headers) => {
    const { browser, fields } = await consentForm()
    const { status, location } = await browser.send('/oauth/consent', { ...fields, ...changes }, headers)
    expect({ status, location }).toEqual({ status: 400, location: null })
    expect((await browser.send('/oauth/consent', fields, { origin: 'http://localhost' })).status).toBe(303)
  })

  test('is refused if its CSRF proof belongs to another request', async () => {
    const { browser, fields } = await consentForm()
    const request = authorizationQuery(service, await register(service), challenge)
    expect((await browser.send('/oauth/consent', { ...fields, request })).status).toBe(400)
  })

  test('is refused if its CSRF proof belongs to another session', async () => {
    const [one, other] = [await consentForm(), await signedInBrowser(service)]
    expect((await other.browser.send('/oauth/consent', one.fields)).status).toBe(400)
  })

  test('leads to the sign-in page if the session has ended', async () => {
    const { browser, fields } = await consentForm()
    browser.cookie = ''
    const { status, text, location } = await browser.send('/oauth/consent', fields)
    expect({ status, location }).toEqual({ status: 200, location: null })
    expect(text).toContain('Sign in to connect')
  })

  test('is refused if an added field makes the form too large', async () => {
    const { browser, fields } = await consentForm()
    expect((await browser.send('/oauth/consent', { ...fields, x: 'x'.repeat(40_000) })).status).toBe(400)
  })
})

describe('signing in before the consent page', () => {
  test.each([
    ['a wrong password', 'wrong horse battery', 401],
    ['no password', '', 401],
  ])('shows an error and keeps the request if the form has %s', async (_, password, status) => {
    const person = await service.signUp(uniqueName('asked'))
    const browser = new TestBrowser(service.root)
    const query = authorizationQuery(service, await register(service), challenge)
    const page = await browser.send('/oauth/sign-in', { request: query, handle: person.handle, password })
    expect(page.status).toBe(status)
    expect(page.text).toContain('The handle or password is wrong.')
    expect(page.field('request')).toBe(query)
    expect(browser.cookie).toBe('')
  })

  test('counts towards the limit of sign-in attempts', async () => {
    const person = await service.signUp(uniqueName('asked'))
    const browser = new TestBrowser(service.root)
    const query = authorizationQuery(service, await register(service), challenge)
    const attempt = (password: string) =>
      browser.send('/oauth/sign-in', { request: query, handle: person.handle, password })
    for (let i = 0; i < 10; i++) expect((await attempt('wrong horse battery')).status).toBe(401)
    const refused = await attempt(PASSWORD)
    expect(refused.status).toBe(429)
    expect(refused.text).toMatch(/Too many attempts; wait \d+ s\./)
  })

  test('is refused when the form comes from another site', async () => {
    const person = await service.signUp(uniqueName('asked'))
    const browser = new TestBrowser(service.root)
    const request = authorizationQuery(service, await register(service), challenge)
    const fields = { request, handle: person.handle, password: PASSWORD }
    const { status } = await browser.send('/oauth/sign-in', fields, { origin: 'https://evil.example' })
    expect({ status, cookie: browser.cookie }).toEqual({ status: 400, cookie: '' })
  })
})
