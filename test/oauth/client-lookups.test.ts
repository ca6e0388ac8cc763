import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveHost } from '../../facades/http/guarded-request.ts'
import { documentFetcher } from '../../facades/oauth/fetch-document.ts'
import { clientDocuments, MAX_FETCHES } from '../../routers/credentials/oauth/client-documents.ts'
import { CERTIFICATE, type DocumentHost, documentHost } from './support/document-host.ts'
import { authorizationQuery, CALLBACK, pkce, useTestServiceWithoutLimits } from './support/flow.ts'

const TIMEOUT = 1_500

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
  const start = Date.now()
  const query = authorizationQuery(service, clientId, pkce().challenge)
  const response = await fetch(`${service.root}/oauth/authorize?${query}`, {
    headers: { 'x-forwarded-for': address },
  })
  return { status: response.status, text: await response.text(), ms: Date.now() - start, response }
}

describe('twelve clients whose DNS server is silent', () => {
  // Retried because it measures real time, and a busy machine can delay even the requests that must not wait.
  test('delay neither clients of other networks nor other DNS look-ups of the process', {
    retry: 1,
  }, async () => {
    const slow = Array.from({ length: 12 }, (_, i) =>
      authorize(`https://name${i}.example/client`, '192.0.2.1'),
    )
    const [good, local] = await Promise.all([
      authorize(`${host.origin}/good`, '198.51.100.1'),
      (async () => {
        const start = Date.now()
        await lookup('localhost')
        return Date.now() - start
      })(),
    ])
    expect(good.status).toBe(200)
    expect(good.ms).toBeLessThan(1_000)
    expect(local).toBeLessThan(1_000)

    const answers = await Promise.all(slow)
    const refused = answers.filter(({ status }) => status === 429)
    const failed = answers.filter(({ status }) => status === 400)
    expect([refused.length, failed.length]).toEqual([12 - MAX_FETCHES.perNetwork, MAX_FETCHES.perNetwork])
    for (const { ms, response, text } of refused) {
      expect(ms).toBeLessThan(1_000)
      expect(response.headers.get('retry-after')).toBe('5')
      expect(text).toContain('Too many apps are being looked up; wait 5 s.')
    }
    for (const { ms, text } of failed) {
      expect(ms).toBeLessThan(TIMEOUT + 1_000)
      expect(text).toContain('could not be read: it took longer than 1.5 s')
    }
    expect((await authorize(`${host.origin}/later`, '192.0.2.1')).status).toBe(200)
  })
})

describe('resolving a host', () => {
  // Retried because it measures real time, and everything takes longer on a busy machine.
  test('ends when it is aborted', { retry: 1 }, async () => {
    const start = Date.now()
    await expect(resolveHost('name.example', AbortSignal.timeout(200), servers)).rejects.toMatchObject({
      code: 'ECANCELLED',
    })
    expect(Date.now() - start).toBeLessThan(1_000)
  })

  test('finds no address for a name without a dot', async () => {
    expect(await resolveHost('localhost', AbortSignal.timeout(200))).toEqual([])
  })
})
