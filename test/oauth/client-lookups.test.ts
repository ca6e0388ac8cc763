import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Network, resolveHost } from '../../facades/http/guarded-request.ts'
import { documentFetcher } from '../../facades/oauth/fetch-document.ts'
import { clientDocuments, MAX_FETCHES } from '../../routers/credentials/oauth/client-documents.ts'
import { CERTIFICATE, type DocumentHost, documentHost } from './support/document-host.ts'
import { authorizationQuery, CALLBACK, pkce, useTestServiceWithoutLimits } from './support/flow.ts'

/** Timeout of a look-up, in ms. The resolver itself waits longer for a DNS server: 1.5 s, then 3 s more. */
const TIMEOUT = 500

const service = useTestServiceWithoutLimits({ trustedProxies: ['loopback'] })
/** A DNS server that never responds, and the names that it was asked for. */
let silent: Socket
let servers: string[]
const asked = new Set<string>()
let host: DocumentHost
beforeAll(async () => {
  silent = createSocket('udp4', packet => void asked.add(nameIn(packet))).bind(0, '127.0.0.1')
  await once(silent, 'listening')
  servers = [`127.0.0.1:${silent.address().port}`]
  host = await documentHost((req, res) =>
    res
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ client_id: `${host.origin}${req.url}`, redirect_uris: [CALLBACK] })),
  )
})
afterAll(async () => {
  silent.close()
  await host.close()
})

/** Returns the name that a DNS message asks about. The name starts after the header, which has 12 bytes. */
const nameIn = (packet: Buffer): string => {
  const labels: string[] = []
  for (let at = 12; packet[at]; at += packet[at]! + 1)
    labels.push(packet.toString('latin1', at + 1, at + 1 + packet[at]!))
  return labels.join('.')
}

/**
 * Makes the service call `resolve` to find the addresses of a host. For the host `client.test`, the address is always
 * 127.0.0.1. This host serves the metadata documents of the clients.
 */
const resolveWith = (resolve: Network['resolve'], timeout: number) => {
  service.core.oauth.documents = clientDocuments(
    documentFetcher({
      resolve: (name, signal) =>
        name === 'client.test' ? Promise.resolve(['127.0.0.1']) : resolve(name, signal),
      isAllowed: () => true,
      ca: CERTIFICATE,
      timeout,
    }),
  )
}

/** Opens the authorization page of a client, as a browser with the given network address. */
const authorize = async (clientId: string, address: string) => {
  const query = authorizationQuery(service, clientId, pkce().challenge)
  const response = await fetch(`${service.root}/oauth/authorize?${query}`, {
    headers: { 'x-forwarded-for': address },
  })
  return { status: response.status, text: await response.text(), response }
}

test('clients whose look-ups never end do not delay clients of other networks, and are refused above a limit', async () => {
  const hanging = Promise.withResolvers<string[]>()
  // This timeout is longer than that of the test, so that no look-up times out.
  resolveWith(() => hanging.promise, 600_000)
  const done: string[] = []
  const slow = Array.from({ length: 12 }, async (_, i) => {
    const answer = await authorize(`https://name${i}.example/client`, '192.0.2.1')
    done.push(answer.status === 429 ? 'refused' : 'failed')
    return answer
  })
  const refused = Array<string>(12 - MAX_FETCHES.perNetwork).fill('refused')
  await expect.poll(() => done).toEqual(refused)
  expect((await authorize(`${host.origin}/good`, '198.51.100.1')).status).toBe(200)
  expect(done).toEqual(refused)
  hanging.reject(new Error('no answer'))
  const answers = await Promise.all(slow)
  for (const { response, text } of answers.filter(({ status }) => status === 429)) {
    expect(response.headers.get('retry-after')).toBe('5')
    expect(text).toContain('Too many apps are being looked up; wait 5 s.')
  }
  for (const { status, text } of answers.filter(({ status }) => status !== 429)) {
    expect(status).toBe(400)
    expect(text).toContain('could not be read: its host has no address')
  }
  expect((await authorize(`${host.origin}/later`, '192.0.2.1')).status).toBe(200)
})

test('a client whose DNS server is silent gets an error after a timeout', async () => {
  resolveWith((name, signal) => resolveHost(name, signal, servers), TIMEOUT)
  const { status, text } = await authorize('https://silent.example/client', '192.0.2.1')
  expect(status).toBe(400)
  expect(text).toContain('could not be read: it took longer than 0.5 s')
})

describe('resolving a host', () => {
  test('asks a DNS server without blocking other look-ups of the process', async () => {
    const aborting = new AbortController()
    const names = Array.from({ length: 12 }, (_, i) => `name${i}.example`)
    const slow = Promise.allSettled(names.map(name => resolveHost(name, aborting.signal, servers)))
    await expect.poll(() => [...asked]).toEqual(expect.arrayContaining(names))
    expect((await lookup('localhost')).address).toMatch(/^(127\.0\.0\.1|::1)$/)
    aborting.abort()
    for (const { status } of await slow) expect(status).toBe('rejected')
  })

  test('rejects when its signal aborts', async () => {
    await expect(resolveHost('name.example', AbortSignal.timeout(200), servers)).rejects.toMatchObject({
      code: 'ECANCELLED',
    })
  })

  test('finds no address for a name without a dot', async () => {
    expect(await resolveHost('localhost', AbortSignal.timeout(200))).toEqual([])
  })
})
