import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../facades/http/public-address.ts'
import { documentFetcher } from '../../facades/oauth/fetch-document.ts'
import { CERTIFICATE, type DocumentHost, documentHost } from './support/document-host.ts'

describe('isPublicAddress', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('accepts %s', address => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    ['this machine', '127.0.0.1'],
    ['this machine', '127.255.255.254'],
    ['this machine', '::1'],
    ['this machine', '0.0.0.0'],
    ['this machine', '::'],
    ['this machine as IPv6', '::ffff:127.0.0.1'],
    ['this machine as IPv6', '::ffff:7f00:1'],
    ['this machine by NAT64', '64:ff9b::7f00:1'],
    ['this machine by 6to4', '2002:7f00:1::'],
    ['this machine by Teredo', '2001:0:7f00:1::'],
    ['a private network', '10.1.2.3'],
    ['a private network', '172.16.0.1'],
    ['a private network', '172.31.255.255'],
    ['a private network', '192.168.1.1'],
    ['a private network', 'fd00::1'],
    ['a private network', 'fc00::1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['link-local', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['documentation', '2001:db8::1'],
    ['benchmarking', '198.18.0.1'],
    ['not an address', 'client.example'],
    ['not an address', ''],
  ])('rejects %s: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('documentFetcher', () => {
  let host: DocumentHost
  const handlers: Record<string, (req: IncomingMessage, res: ServerResponse) => void> = {
    '/good': (_req, res) => res.setHeader('content-type', 'application/json; charset=utf-8').end('{"a":1}'),
    '/moved': (_req, res) => res.writeHead(302, { location: '/good' }).end(),
    '/missing': (_req, res) => res.writeHead(404, { 'content-type': 'application/json' }).end('{}'),
    '/page': (_req, res) => res.setHeader('content-type', 'text/html').end('{}'),
    '/untyped': (_req, res) => res.end('{}'),
    '/packed': (_req, res) =>
      res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x'),
    '/broken': (_req, res) => res.setHeader('content-type', 'application/json').end('{'),
    '/full': (_req, res) => res.setHeader('content-type', 'application/json').end(`"${'x'.repeat(65_534)}"`),
    '/large': (_req, res) => res.setHeader('content-type', 'application/json').end(`"${'x'.repeat(65_535)}"`),
    '/endless': (_req, res) => {
      res.setHeader('content-type', 'application/json')
      const more = () => res.write('x'.repeat(1000)) && setImmediate(more)
      res.on('drain', more)
      more()
    },
    '/silent': () => {},
    '/slow': (_req, res) => {
      res.setHeader('content-type', 'application/json')
      const timer = setInterval(() => res.write(' '), 50)
      res.on('close', () => clearInterval(timer))
    },
    '/cut': (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{')
      setTimeout(() => res.destroy(), 20)
    },
  }
  beforeAll(async () => {
    host = await documentHost((req, res) => handlers[req.url ?? '']?.(req, res))
  })
  afterAll(() => host.close())

  const local = {
    resolve: () => Promise.resolve(['127.0.0.1']),
    isAllowed: (address: string) => address === '127.0.0.1',
    ca: CERTIFICATE,
    timeout: 60_000,
  }
  const impatient = { ...local, timeout: 1_000 }
  const failureOf = (url: string, network = local) =>
    documentFetcher(network)(new URL(url)).then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    )

  test('returns the document and sends the host name', async () => {
    expect(await documentFetcher(local)(new URL(`${host.origin}/good`))).toEqual({ a: 1 })
    expect(host.requests.at(-1)).toBe(`client.test:${host.port}/good`)
    expect(await documentFetcher(local)(new URL(`${host.origin}/full`))).toHaveLength(65_534)
  })

  test.each([
    ['/moved', /returned 302/],
    ['/missing', /returned 404/],
    ['/page', /not plain application\/json/],
    ['/untyped', /not plain application\/json/],
    ['/packed', /not plain application\/json/],
    ['/broken', /not JSON/],
    ['/large', /more than 65536 bytes/],
    ['/endless', /more than 65536 bytes/],
    ['/cut', /abort/],
  ])('rejects %s', async (path, message) => {
    expect(await failureOf(host.origin + path)).toMatch(message)
  })

  test.each(['/silent', '/slow'])('gives up on %s', async path => {
    expect(await failureOf(host.origin + path, impatient)).toMatch(/longer than 1 s/)
  })

  test('does not follow a redirect', async () => {
    const before = host.requests.length
    await failureOf(`${host.origin}/moved`)
    expect(host.requests.slice(before)).toEqual([`client.test:${host.port}/moved`])
  })

  test('rejects a certificate for another host name', async () => {
    expect(await failureOf(`https://evil.test:${host.port}/good`)).toMatch(/could not be reached/)
  })

  test('rejects an untrusted certificate', async () => {
    const { ca, ...others } = local
    expect(ca).toBe(CERTIFICATE)
    const fetchDocument = documentFetcher(others)
    await expect(fetchDocument(new URL(`${host.origin}/good`))).rejects.toThrow(/self-signed/)
  })

  test('rejects http', async () => {
    expect(await failureOf(`http://client.test:${host.port}/good`)).toMatch(/not https/)
  })

  test.each([
    ['a private address', ['10.0.0.1']],
    ['a public address and a private one', ['127.0.0.1', '10.0.0.1']],
    ['no address', []],
  ])('rejects a host name that resolves to %s, without connecting', async (_, addresses) => {
    const before = host.requests.length
    const network = { ...local, resolve: () => Promise.resolve(addresses) }
    expect(await failureOf(`${host.origin}/good`, network)).toMatch(/not on the public internet/)
    expect(host.requests).toHaveLength(before)
  })

  test('resolves a host name once and connects to the address that it has checked', async () => {
    const given = [['127.0.0.1'], ['10.0.0.1']]
    const network = { ...local, resolve: () => Promise.resolve(given.shift() ?? []) }
    expect(await documentFetcher(network)(new URL(`${host.origin}/good`))).toEqual({ a: 1 })
    expect(given).toHaveLength(1)
  })

  test.each([
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://2130706433/x',
    'https://0x7f.0.0.1/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://169.254.169.254/latest',
    'https://localhost/x',
  ])('rejects %s with the default network settings', async url => {
    await expect(documentFetcher()(new URL(url))).rejects.toThrow(/not on the public internet/)
  })
})
