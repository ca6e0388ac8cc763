import { describe, expect, test } from 'vitest'
import {
  authorizationQuery,
  CALLBACK,
  pkce,
  type ReceivedPage,
  register,
  sendRegistration,
  signedInBrowser,
  TestBrowser,
  useTestServiceWithoutLimits,
} from './support/flow.ts'

const service = useTestServiceWithoutLimits()
const { challenge } = pkce()
const ISSUER = 'http://localhost/oauth'

describe('an authorization request', () => {
  /** Returns the URL of an error page's link, which sends the error back to the client. */
  const reportLink = ({ text }: ReceivedPage) =>
    new URL(/<a class="button" href="([^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&'))

  test.each([
    ['no client_id', { client_id: undefined }],
    ['an unknown client', { client_id: 'A'.repeat(22) }],
    ['a malformed client_id', { client_id: 'nobody' }],
    ['an unregistered redirect_uri', { redirect_uri: 'https://client.example/other' }],
    ['a javascript: redirect_uri', { redirect_uri: 'javascript:alert(1)' }],
    ['an empty redirect_uri', { redirect_uri: '' }],
  ])('gets an error page and no redirect if it has %s', async (_, changes) => {
    const browser = new TestBrowser(service.root)
    const query = authorizationQuery(service, await register(service), challenge, changes)
    const { status, location, text } = await browser.authorize(query)
    expect({ status, location }).toEqual({ status: 400, location: null })
    expect(text).toContain('Cannot connect this app')
  })

  test.each([
    ['no response_type', { response_type: undefined }, 'unsupported_response_type'],
    ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no code_challenge', { code_challenge: undefined }, 'invalid_request'],
    ['no code_challenge_method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge that is not a hash', { code_challenge: 'short' }, 'invalid_request'],
    ['a foreign resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['scopes of a space only', { scope: 'pages' }, 'invalid_scope'],
    ['unknown scopes only', { scope: 'pages admin' }, 'invalid_scope'],
  ])(
    'that has %s gets an error page whose link reports the error to the client',
    async (_, changes, error) => {
      const browser = new TestBrowser(service.root)
      const page = await browser.authorize(
        authorizationQuery(service, await register(service), challenge, changes),
      )
      expect({ status: page.status, location: page.location }).toEqual({ status: 400, location: null })
      expect(page.text).toContain('Cannot connect <bdi>Test client</bdi>')
      expect(page.text).toContain('<b>client.example</b>')
      const report = reportLink(page)
      expect(report.href.startsWith(`${CALLBACK}?`)).toBe(true)
      expect(Object.fromEntries(report.searchParams)).toMatchObject({ error, state: 'xyz', iss: ISSUER })
    },
  )

  test('is refused if a parameter is repeated', async () => {
    const browser = new TestBrowser(service.root)
    const query = `${authorizationQuery(service, await register(service), challenge)}&scope=posts&scope=likes`
    expect(reportLink(await browser.authorize(query)).searchParams.get('error')).toBe('invalid_request')
    expect((await browser.authorize(`${query}&redirect_uri=https://evil.example/`)).status).toBe(400)
    expect((await browser.authorize(`${query}&client_id=x`)).status).toBe(400)
  })

  test.each([
    ['no resource', { resource: undefined }],
    ['no state', { state: undefined }],
    ['no redirect_uri where only one is registered', { redirect_uri: undefined }],
    ['an unknown parameter', { prompt: 'consent' }],
  ])('is accepted with %s', async (_, changes) => {
    const { browser } = await signedInBrowser(service)
    const page = await browser.authorize(
      authorizationQuery(service, await register(service), challenge, changes),
    )
    const { location } = await browser.decide(page, 'allow')
    expect(location!.searchParams.get('code')).not.toBeNull()
    expect(location!.searchParams.has('state')).toBe(!('state' in changes))
  })

  test('must have a redirect_uri if several are registered', async () => {
    const { body } = await sendRegistration(service, {
      redirect_uris: [CALLBACK, 'https://client.example/b'],
    })
    const query = authorizationQuery(service, String(body.client_id), challenge, { redirect_uri: undefined })
    expect((await new TestBrowser(service.root).authorize(query)).status).toBe(400)
  })
})
