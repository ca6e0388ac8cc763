import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveHost } from '../../facades/http/guarded-request.ts'
import { documentFetcher } from '../../facades/oauth/fetch-document.ts'
import { clientDocuments, MAX_FETCHES } from '../../routers/credentials/oauth/client-documents.ts'
import { uniqueName } from '../support/test-service.ts'
import { CERTIFICATE, type DocumentHost, documentHost } from './support/document-host.ts'
import { authorizationQuery, CALLBACK, pkce, useTestServiceWithoutLimits } from './support/flow.ts'

/** Timeout of a look-up, in ms. The resolver itself waits longer for a DNS server: 1.5 s, then 3 s more. */
const TIMEOUT = 3_000

const service = useTestServiceWithoutLimits({ trustedProxies: ['loopback'] })
let silent: Socket
let servers: string[]
let host: DocumentHost
beforeAll(async () => {
  silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  servers = [`127.0.0.1:${silent.address().port}`]
  host = await documentHost((req, res) =>
    res
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ client_id: `${host.origin}${req.url}`, redirect_uris: [CALLBACK] })),
  )
  service.core.oauth.documents = clientDocuments(
    documentFetcher({
      resolve: (name, signal) =>
        name === 'client.test' ? Promise.resolve(['127.0.0.1']) : resolveHost(name, signal, servers),
      isAllowed: () => true,
      ca: CERTIFICATE,
      timeout: TIMEOUT,
    }),
  )
})
afterAll(async () => {
  silent.close()
  await host.close()
})

/** Opens the authorization page of a client, as a browser with the given network address. */
const authorize = async (clientId: string, address: string) => {
  const query = authorizationQuery(service, clientId, pkce().challenge)
  const response = await fetch(`${service.root}/oauth/authorize?${query}`, {
    headers: { 'x-forwarded-for': address },
  })
  return { status: response.status, text: await response.text(), response }
}

describe('twelve clients whose DNS server is silent', () => {
  // Retries, because everything ends at the same time if the machine pauses for longer than the timeout. Each attempt
  // looks up other addresses, because failures are cached.
  test('delay neither clients of other networks nor other DNS look-ups of the process', {
    retry: 2,
  }, async () => {
    const attempt = uniqueName('attempt')
    const done: string[] = []
    const note = async <Result>(call: Promise<Result>, nameOf: (result: Result) => string) => {
      const result = await call
      done.push(nameOf(result))
      return result
    }
    const slow = Array.from({ length: 12 }, (_, i) =>
      note(authorize(`https://name${i}.example/${attempt}`, '192.0.2.1'), ({ status }) =>
        status === 429 ? 'refused' : 'failed',
      ),
    )
    const good = note(authorize(`${host.origin}/good`, '198.51.100.1'), () => 'good')
    const local = note(lookup('localhost'), () => 'local')
    const [{ status }, answers] = await Promise.all([good, Promise.all(slow), local])
    expect(status).toBe(200)
    const { perNetwork } = MAX_FETCHES
    // Only the look-ups that are not refused take as long as the timeout.
    expect(done.slice(-perNetwork)).toEqual(Array(perNetwork).fill('failed'))
    expect(done.slice(0, -perNetwork).toSorted()).toEqual([
      'good',
      'local',
      ...Array(12 - perNetwork).fill('refused'),
    ])
    for (const { response, text } of answers.filter(({ status }) => status === 429)) {
      expect(response.headers.get('retry-after')).toBe('5')
      expect(text).toContain('Too many apps are being looked up; wait 5 s.')
    }
    for (const { status, text } of answers.filter(({ status }) => status !== 429)) {
      expect(status).toBe(400)
      expect(text).toContain('could not be read: it took longer than 3 s')
    }
    expect((await authorize(`${host.origin}/later`, '192.0.2.1')).status).toBe(200)
  })
})

describe('resolving a host', () => {
  test('ends when it is aborted', async () => {
    await expect(resolveHost('name.example', AbortSignal.timeout(200), servers)).rejects.toMatchObject({
      code: 'ECANCELLED',
    })
  })

  test('finds no address for a name without a dot', async () => {
    expect(await resolveHost('localhost', AbortSignal.timeout(200))).toEqual([])
  })
})
