import { assert, integer, property, webUrl } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRedirectUri, isRegistered, withParameters } from '../../routers/credentials/oauth/redirects.ts'

describe('a valid redirect URI', () => {
  test.each([
    'https://client.example/callback',
    'https://client.example:8443/callback?kind=mcp',
    'http://localhost:1234/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:5000/',
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'com.example.app:/oauth',
    'vscode://vscode.github-authentication/did-authenticate',
    'com.example.my-app://oauth',
  ])('is accepted: %s', uri => {
    expect(isRedirectUri(uri)).toBe(true)
  })
})

describe('an invalid redirect URI', () => {
  test.each([
    ['an http page', 'http://client.example/callback'],
    ['on a host whose name starts with localhost', 'http://localhost.example/callback'],
    ['on another machine of the network', 'http://192.168.0.1/callback'],
    ['a script URL', 'javascript:alert(1)'],
    ['a script URL in capitals', 'JavaScript:alert(1)'],
    ['a script URL with a host', 'javascript://client.example/%0aalert(1)'],
    ['a data URL', 'data:text/html,hello'],
    ['a VBScript URL', 'vbscript:x'],
    ['a blob URL', 'blob:https://client.example/x'],
    ['a file URL', 'file:///etc/passwd'],
    ['a WebSocket URL', 'wss://client.example/'],
    ['a mailto link', 'mailto:somebody@client.example'],
    ['an intent URL', 'intent://x#Intent;end'],
    ['an Office command', 'ms-officecmd:%7B%22id%22:3%7D'],
    ['a Windows search', 'search-ms:query=x'],
    ['a URL whose scheme has no domain', 'myapp://callback'],
    ['a URL with a Windows scheme', 'microsoft.windows.camera:'],
    ['a link to iPhone settings', 'com.apple.systempreferences:'],
    ['a URL whose scheme begins with a digit', '1.example:/callback'],
    ['a URL with a fragment', 'https://client.example/callback#part'],
    ['a URL with an empty fragment', 'https://client.example/callback#'],
    ['a URL with a user name', 'https://client.example@evil.example/'],
    ['a URL with a password', 'https://a:b@client.example/'],
    ['a path only', '/callback'],
    ['empty', ''],
    ['a URL with a line break', 'https://client.example/\r\nSet-Cookie: a=b'],
    ['a URL after a space', ' https://client.example/'],
    ['a URL with a tab in its scheme', 'java\tscript:alert(1)'],
    ['a URL with a backslash', 'https://client.example\\@evil.example/'],
    ['a URL with a non-ASCII host', 'https://clıent.example/'],
    ['an address over the length limit', `https://client.example/${'x'.repeat(2048)}`],
  ])('is rejected: %s', (_, uri) => {
    expect(isRedirectUri(uri)).toBe(false)
    expect(isRegistered([uri], uri)).toBe(false)
  })
})

describe('the redirect_uri of a request', () => {
  test.each([
    ['https://client.example/cb', 'https://client.example/cb', true],
    ['https://client.example/cb', 'https://client.example/cb/', false],
    ['https://client.example/cb', 'https://client.example/cb?x=1', false],
    ['https://client.example/cb', 'https://client.example:444/cb', false],
    ['https://client.example/cb', 'https://client.example:443/cb', false],
    ['https://client.example/cb', 'https://CLIENT.example/cb', false],
    ['https://client.example/cb', 'https://client.example/CB', false],
    ['https://client.example/cb', 'https://client.example/x/../cb', false],
    ['https://client.example/cb', 'https://evil.example/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:5000/cb', true],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:5000/cb', true],
    ['http://localhost:1/cb', 'http://localhost/cb', true],
    ['http://[::1]:1/cb', 'http://[::1]:2/cb', true],
    ['http://127.0.0.1/cb', 'http://localhost:5000/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:5000/other', false],
    ['http://127.0.0.1/cb', 'https://127.0.0.1:5000/cb', false],
    ['http://localhost/cb', 'http://localhost:1@evil.example/cb', false],
    ['cursor://a/cb', 'cursor://a/cb', true],
    ['cursor://a:1/cb', 'cursor://a:2/cb', false],
  ])(
    'is compared with the registered one (registered %s, requested %s, accepted: %s)',
    (registered, requested, expected) => {
      expect(isRegistered([registered], requested)).toBe(expected)
    },
  )

  test('may have a different port from the registered one if its host is localhost', () => {
    assert(
      property(integer({ min: 1, max: 65_535 }), integer({ min: 1, max: 65_535 }), (a, b) => {
        expect(isRegistered([`http://localhost:${a}/cb`], `http://localhost:${b}/cb`)).toBe(true)
      }),
    )
  })

  test('must equal the registered one if its scheme is https', () => {
    assert(
      property(webUrl({ validSchemes: ['https'] }), webUrl({ validSchemes: ['https'] }), (a, b) => {
        expect(isRegistered([a], b)).toBe(a === b && isRedirectUri(a))
      }),
    )
  })
})

describe('the parameters of the response', () => {
  test.each([
    ['https://client.example/cb', 'https://client.example/cb?code=a+b&state=%26'],
    ['https://client.example/cb?x=%2F', 'https://client.example/cb?x=%2F&code=a+b&state=%26'],
    ['app:/cb', 'app:/cb?code=a+b&state=%26'],
  ])('are appended to %s, which is otherwise unchanged', (uri, expected) => {
    expect(withParameters(uri, { code: 'a b', state: '&', error: undefined })).toBe(expected)
  })
})
